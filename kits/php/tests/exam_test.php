<?php
/** The exam, run from a test: its report, its failure, its own errors, and its end. */
declare(strict_types=1);

use Switchboard\Testing\{Exam, ExamFailed, ProgramError};

const REPOSITORY = __DIR__ . '/../../..';
const BRIDGE = ['php', REPOSITORY . '/examples/php/bridge.php'];
/** It does a callback again that comes again. */
const PLANTED = 'python3 ' . REPOSITORY . '/exam/planted/b09.py';

function test_exam_of_a_bridge_passes_and_has_the_rules(): void
{
    $exam = Exam::run(BRIDGE, only: [1, 9, 25], waive: [25 => 'no buttons: yet'], strict: true);
    same('2 hold, 0 break, 0 warn, 0 not tried, 1 waived', $exam->headline);
    same($exam->headline, strtok($exam->text, "\n"));
    same([1 => 'holds', 9 => 'holds', 25 => 'waived'], array_column($exam->rules, 'verdict', 'number'));
    same('It does a callback once that comes again', $exam->rules[9]['title']);
    same('docs/exam/09.md', $exam->rules[9]['page']);
    same('no buttons: yet', $exam->rules[25]['why']);
    same(1, $exam->document['exam_version']);
}

function test_exam_with_further_flags_writes_other_reports(): void
{
    $page = sys_get_temp_dir() . '/exam-' . bin2hex(random_bytes(8)) . '.html';
    try {
        $exam = Exam::run(BRIDGE, only: [1], flags: ["--html=$page", '--seed=7']);
        contains($exam->rules[1]['title'], file_get_contents($page));
    } finally {
        @unlink($page);
    }
}

function test_exam_of_a_bot_is_at_its_paths(): void
{
    $bot = 'python3 ' . REPOSITORY . '/examples/python/bot.py';
    [$hooksPath, $env] = ['/hooks?k=7d1f', ['HOOKS_PATH' => '/hooks?k=7d1f']];
    $exam = Exam::run($bot, profile: 'bot', only: [45], hooksPath: $hooksPath, jobs: 1, env: $env);
    same('holds', $exam->rules[45]['verdict']);
}

function test_exam_with_a_broken_rule_fails_with_what_to_do(): void
{
    $error = thrown(ExamFailed::class, fn () => Exam::run(PLANTED, only: [1, 9]));
    same(true, $error instanceof AssertionError, 'That it is a failed assertion');
    ['verdict' => $verdict, 'title' => $title, 'why' => $why, 'advice' => $advice] = $error->exam->rules[9];
    same(['holds', 'breaks'], [$error->exam->rules[1]['verdict'], $verdict]);
    contains('was done more than once', $why);
    foreach (['b09.py» does not pass', '1 hold, 1 break', $title, $why, "Do: $advice", 'See docs/exam/09.md'] as $words) {
        contains($words, $error->getMessage());
    }
}

function test_exam_that_is_strict_takes_nothing_that_was_not_tried(): void
{
    same('not_tried', Exam::run('false', only: [9])->rules[9]['verdict']);
    $error = thrown(ExamFailed::class, fn () => Exam::run('false', only: [9], strict: true));
    contains('not tried  9', $error->getMessage());
}

function test_exam_that_cannot_run_is_no_failed_assertion(): void
{
    foreach ([
        'there is no rule 99' => ['only' => [99]],
        'invalid value' => ['only' => []],
        'expected a number and a reason' => ['waive' => [9 => '']],
        'expected a path that begins with a slash' => ['hooksPath' => 'hooks'],
    ] as $words => $options) {
        contains($words, thrown(ProgramError::class, fn () => Exam::run('false', ...$options))->getMessage());
    }
    $error = thrown(InvalidArgumentException::class, fn () => Exam::run(['php', 'my bridge.php']));
    contains('"my bridge.php" is not one word', $error->getMessage());
}

/** Runs a function while the program is this script. */
function with_program(string $folder, string $script, callable $function): mixed
{
    file_put_contents("$folder/switchboard", "#!/bin/sh\n$script\n");
    chmod("$folder/switchboard", 0o700);
    return with_env(['SWITCHBOARD_BIN' => "$folder/switchboard"], $function);
}

function test_exam_with_a_report_of_another_version_is_refused(): void
{
    $script = 'for flag; do case $flag in --json=*) echo \'{"exam_version":2}\' >"${flag#--json=}";; esac; done';
    $error = with_program(folder(), $script, fn () => thrown(ProgramError::class, fn () => Exam::run('false')));
    contains('The report has version 2, and this kit reads 1', $error->getMessage());
}

function test_exam_without_an_end_is_ended_and_leaves_nothing(): void
{
    [$folder, $temporary] = [folder(), folder()];
    $script = "sleep 600 &\necho $$ $! >$folder/pids\necho 'holds      1' >&2\nwait";
    $error = with_env(['TMPDIR' => $temporary], fn () => with_program(
        $folder, $script, fn () => thrown(ProgramError::class, fn () => Exam::run('false', seconds: 2)),
    ));
    contains("did not end within 2 s. It said:\n  holds      1", $error->getMessage());
    array_map(fn ($pid) => gone((int) $pid), explode(' ', file_get_contents("$folder/pids")));
    same([], names($temporary), 'What is left in the folder of temporary files');
}

function test_exam_ends_with_a_test_run_that_is_killed(): void
{
    $folder = folder();
    file_put_contents("$folder/bridge.sh", "echo $$ \$PPID >$folder/new; mv $folder/new $folder/pids; sleep 600\n");
    [$process, $output] = start_php("Switchboard\\Testing\\Exam::run('sh $folder/bridge.sh', only: [9]);");
    for ($deadline = hrtime(true) + PATIENCE_NS; !is_file("$folder/pids"); usleep(5_000)) {
        hrtime(true) < $deadline || throw new AssertionError('The program is not examined: ' . stream_get_contents($output));
    }
    [$examined, $leader] = array_map('intval', explode(' ', file_get_contents("$folder/pids")));
    // The process behind the name, which may have spaces.
    $facts = substr(strrchr(file_get_contents("/proc/$leader/stat"), ')'), 2);
    proc_terminate($process, 9);
    array_map(gone(...), [$examined, $leader, (int) explode(' ', $facts)[1]]);
    proc_close($process);
}
