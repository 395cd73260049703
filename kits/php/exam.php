<?php
/** The exam of a program, run from a test: `switchboard exam` plays the counterpart at its worst, and judges rule by rule. */
declare(strict_types=1);

namespace Switchboard\Testing;

/** The program does not pass the exam. PHPUnit counts it as a failure, not as an error. */
final class ExamFailed extends \AssertionError
{
    public function __construct(string $program, public readonly Exam $exam)
    {
        parent::__construct("The program «{$program}» does not pass the exam.\n{$exam->text}");
    }
}

/** An exam that has ended: what came out. */
final class Exam
{
    /** The form of reports that this kit reads. */
    private const VERSION = 1;

    private function __construct(
        /** The numbers of verdicts. */
        public readonly string $headline,
        /** @var array<int, array> By number: `number`, `title`, `verdict`, `why`, `advice` and `page`. */
        public readonly array $rules,
        /** What a terminal shows. */
        public readonly string $text,
        /** The whole report. */
        public readonly array $document,
    ) {}

    /**
     * Examines a program in worlds of the exam's own. Throws ExamFailed when it breaks a rule; a strict exam, for warnings and for
     * rules that were not tried, too. `flags` are more of `switchboard exam`, such as "--html=exam.html". After so many seconds of real time the exam is ended.
     */
    public static function run(
        string|array $command, string $profile = 'bridge', ?array $only = null, array $waive = [], bool $strict = false,
        string $path = '/', string $hooksPath = '/hooks', ?int $jobs = null, array $flags = [], array $env = [],
        ?string $directory = null, int|float $seconds = 600,
    ): self {
        $line = self::commandLine($command);
        array_unshift($flags, "--command=$line", "--profile=$profile", "--path=$path", "--hooks-path=$hooksPath");
        $only === null || $flags[] = '--only=' . implode(',', $only);
        $jobs === null || $flags[] = "--jobs=$jobs";
        $strict && $flags[] = '--strict';
        foreach ($waive as $number => $reason) {
            $flags[] = "--waive=$number=$reason";
        }
        $folder = sys_get_temp_dir() . '/switchboard-exam-' . bin2hex(random_bytes(8));
        @mkdir($folder, 0o700) || throw new ProgramError("The folder $folder cannot be made. Set TMPDIR to a writable folder.");
        try {
            $code = self::end([Process::find(), 'exam', "--json=$folder/exam.json", ...$flags], $folder, $env, $directory, $seconds);
            $exam = self::read($code, $folder);
        } finally {
            array_map('unlink', glob("$folder/*") ?: []);
            rmdir($folder);
        }
        return $code === 0 ? $exam : throw new ExamFailed($line, $exam);
    }

    private static function commandLine(string|array $command): string
    {
        foreach (is_array($command) ? $command : [] as $word) {
            if (!preg_match('/^\S+$/D', $word)) {
                throw new \InvalidArgumentException(
                    "The exam parts a command at its spaces, and \"$word\" is not one word: put the command into a script.",
                );
            }
        }
        return is_array($command) ? implode(' ', $command) : $command;
    }

    /** Runs the exam to its end; gives its exit code. Whatever happens, nothing of it is left. */
    private static function end(array $words, string $folder, array $env, ?string $directory, int|float $seconds): int
    {
        $pipes = [['pipe', 'r'], ['file', "$folder/output", 'w'], ['file', "$folder/errors", 'w']];
        $handle = @proc_open(['setsid', 'sh', '-c', TestedProgram::LEADER, 'sh', ...$words], $pipes, $pipes, $directory, $env + getenv())
            ?: throw new ProgramError('The exam cannot be started: ' . (error_get_last()['message'] ?? 'PHP gives no reason'));
        $status = proc_get_status($handle); // Before PHP 8.3 only the first one after the end has the exit code.
        $pid = $status['pid'];
        try {
            $deadline = hrtime(true) + $seconds * 1e9;
            for (; $status['running']; usleep(10_000), $status = proc_get_status($handle)) {
                if (hrtime(true) > $deadline) {
                    throw new ProgramError("The exam did not end within $seconds s. " . self::words($folder));
                }
            }
            return $status['exitcode'];
        } finally {
            // The leader may have ended: the process that watches its input keeps the number of the group.
            TestedProgram::signalGroup($pid, 'KILL');
            fclose($pipes[0]);
            proc_close($handle);
        }
    }

    private static function read(int $code, string $folder): self
    {
        // With the code 1 and a report, a rule is broken.
        if (!in_array($code, [0, 1], true) || !is_file("$folder/exam.json")) {
            throw new ProgramError("The exam ended with the code $code and no report. " . self::words($folder));
        }
        $document = json_decode((string) file_get_contents("$folder/exam.json"), true, flags: JSON_THROW_ON_ERROR);
        $version = $document['exam_version'] ?? 'none';
        if ($version !== self::VERSION) {
            throw new ProgramError("The report has version $version, and this kit reads " . self::VERSION . ': use the kit of the program.');
        }
        $rules = array_map(fn (array $rule) => [
            'number' => $rule['number'], 'title' => $rule['title'], 'verdict' => $rule['verdict'],
            'why' => $rule['why'] ?? $rule['reason'] ?? $rule['remark'] ?? '', 'advice' => $rule['advice'], 'page' => $rule['page'],
        ], $document['rules']);
        $text = rtrim((string) file_get_contents("$folder/output"));
        return new self($document['headline'], array_column($rules, null, 'number'), $text, $document);
    }

    private static function words(string $folder): string
    {
        $lines = array_slice(@file("$folder/errors", FILE_IGNORE_NEW_LINES) ?: [], -20);
        return $lines ? "It said:\n  " . implode("\n  ", $lines) : 'It said nothing.';
    }
}
