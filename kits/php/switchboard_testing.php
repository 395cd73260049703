<?php
/** Worlds of Switchboard for the tests of an integration. README.md in this folder has every function. */
declare(strict_types=1);

namespace Switchboard\Testing;

require_once __DIR__ . '/exam.php';
require_once __DIR__ . '/receiver.php';
require_once __DIR__ . '/tested_program.php';

/** An error of this kit. A wait that was not met is NotMet, a failed assertion. */
class SwitchboardError extends \RuntimeException {}

/** The program was not found, it did not start, or the exam itself cannot run. */
final class ProgramError extends SwitchboardError {}

/** A request got no answer, or one that cannot be read. */
final class NoAnswer extends SwitchboardError {}

/** The API refused a request. The members are those of its problem document (RFC 9457). */
final class ApiError extends SwitchboardError
{
    public function __construct(
        string $request, public readonly int $status, public readonly string $title,
        public readonly string $detail, public readonly array $errors,
    ) {
        $fields = array_map(fn ($error) => "\n  " . ($error['path'] ?? 'body') . ': ' . ($error['detail'] ?? ''), $errors);
        parent::__construct("$title: $detail ($status, $request)" . implode('', $fields), $status);
    }
}

/** A wait ended without what it waited for. PHPUnit counts it as a failure, not as an error. */
final class NotMet extends \AssertionError
{
    public function __construct(string $what, public readonly string $why, public readonly array $near)
    {
        parent::__construct(implode("\n  ", ["The wait for $what was not met: $why", ...$near]));
    }
}

/** The process `switchboard dev` that all worlds of this PHP process share. */
final class Process
{
    private static ?self $shared = null;
    public readonly Client $client;
    public readonly int $pid;
    private readonly string $directory;
    private $handle;
    /** @var resource The program ends when this closes, so it ends even if this PHP process is killed. */
    private $input;

    /** The process. The first call starts it, and the end of this PHP process ends it. */
    public static function shared(): self
    {
        // A forked child inherits the object, but the process belongs to its parent.
        if (self::$shared?->owner !== getmypid()) {
            self::$shared = new self(self::find(), (int) getmypid());
            register_shutdown_function(self::$shared->stop(...));
        }
        return self::$shared;
    }

    /** The path of the program: SWITCHBOARD_BIN, or else `switchboard` on PATH. */
    public static function find(): string
    {
        $set = (string) getenv('SWITCHBOARD_BIN');
        $folders = array_unique(array_filter(explode(PATH_SEPARATOR, (string) getenv('PATH')), 'strlen'));
        foreach ($set !== '' ? [$set] : array_map(fn ($folder) => "$folder/switchboard", $folders) as $file) {
            if (is_file($file) && is_executable($file)) {
                return (string) realpath($file);
            }
        }
        $where = $set !== ''
            ? "SWITCHBOARD_BIN is \"$set\", which is no executable file, so PATH was not searched"
            : 'SWITCHBOARD_BIN is not set, and no folder of PATH has it (' . implode(', ', $folders) . ')';
        throw new ProgramError("The program switchboard was not found: $where. Install it, or set SWITCHBOARD_BIN to its path.");
    }

    private function __construct(string $program, private readonly int $owner)
    {
        $this->directory = sys_get_temp_dir() . '/switchboard-' . bin2hex(random_bytes(8));
        @mkdir($this->directory, 0o700)
            || throw new ProgramError("The folder {$this->directory} cannot be made. Set TMPDIR to a writable folder.");
        [$ready, $log] = ["{$this->directory}/ready.json", "{$this->directory}/log"];
        $command = [$program, 'dev', '--ephemeral', '--listen', '127.0.0.1:0', '--ready-file', $ready, '--stop-with-stdin'];
        $this->handle = proc_open($command, [['pipe', 'r'], ['file', $log, 'a'], ['file', $log, 'a']], $pipes, $this->directory)
            ?: throw new ProgramError("$program cannot be started: " . (error_get_last()['message'] ?? 'PHP gives no reason'));
        $this->input = $pipes[0];
        for ($deadline = hrtime(true) + 30e9; !is_file($ready); usleep(2_000)) { // Nothing reports that a file appears.
            $status = proc_get_status($this->handle);
            if (!$status['running'] || hrtime(true) > $deadline) {
                $words = Client::lastLines($log);
                $this->stop();
                $end = "ended with exit code {$status['exitcode']} at its start";
                throw new ProgramError("$program " . ($status['running'] ? 'was not ready after 30 s.' : "$end.") . $words);
            }
        }
        ['pid' => $this->pid, 'dev' => $dev] = json_decode((string) file_get_contents($ready), true);
        $this->client = new Client($dev['url'], $dev['token'], $log);
    }

    /** Ends the program with all worlds. The next use starts it again. */
    public function stop(): void
    {
        if ($this->owner !== getmypid() || !is_resource($this->input)) {
            return;
        }
        fclose($this->input);
        for ($deadline = hrtime(true) + 10e9; proc_get_status($this->handle)['running']; usleep(2_000)) {
            hrtime(true) > $deadline && proc_terminate($this->handle, 9);
        }
        proc_close($this->handle);
        array_map('unlink', glob("{$this->directory}/*") ?: []);
        rmdir($this->directory);
        self::$shared = null;
    }
}

/** Requests to the API that steers worlds. It sends each request once. */
final class Client
{
    public function __construct(private readonly string $url, private readonly string $token, private readonly string $log) {}

    /** The last lines of a log, for the text of an error. */
    public static function lastLines(string $log): string
    {
        $lines = array_slice(@file($log, FILE_IGNORE_NEW_LINES) ?: [], -20);
        return $lines ? "\nThe end of the program's log:\n  " . implode("\n  ", $lines) : " The program's log is empty.";
    }

    /** Sends a request whose answer is JSON. */
    public function json(string $method, string $path, ?array $body = null, array $query = [], float $timeout = 30): array
    {
        $answer = $this->text($method, $path, $body, $query, $timeout);
        return json_decode($answer, true) ?? throw new NoAnswer("$method $path: not JSON: " . substr($answer, 0, 300));
    }

    /** Sends a request and gives the content of its answer. */
    public function text(string $method, string $path, ?array $body = null, array $query = [], float $timeout = 30): string
    {
        $query = http_build_query($query, '', '&', PHP_QUERY_RFC3986); // leaves out what is null
        $stream = @fopen($this->url . $path . ($query ? "?$query" : ''), 'r', false, stream_context_create(['http' => [
            'method' => $method,
            'header' => ["Authorization: Bearer {$this->token}", 'Content-Type: application/json'],
            'content' => $body === null ? '' : json_encode((object) $body, JSON_THROW_ON_ERROR),
            'timeout' => $timeout,
            'ignore_errors' => true, // A refusal has a body, too.
        ]]));
        $why = $stream ? 'it is not complete' : (error_get_last()['message'] ?? 'PHP gives no reason');
        $answer = $stream ? (string) stream_get_contents($stream) : '';
        $meta = $stream ? stream_get_meta_data($stream) : ['timed_out' => false, 'wrapper_data' => []];
        $head = implode("\n", $meta['wrapper_data']);
        $length = preg_match('/^content-length: *(\d+)/im', $head, $found) ? (int) $found[1] : 0;
        if (!$stream || $meta['timed_out'] || strlen($answer) < $length) {
            throw new NoAnswer("$method $path got no answer (limit: $timeout s): $why." . self::lastLines($this->log));
        }
        $status = (int) substr($head, strlen('HTTP/1.1 '), 3);
        if ($status < 300) {
            return $answer;
        }
        $other = ['title' => "HTTP $status", 'detail' => substr($answer, 0, 300), 'errors' => []];
        $problem = (array) json_decode($answer, true) + $other;
        throw new ApiError("$method $path", $status, $problem['title'], $problem['detail'], $problem['errors']);
    }
}

/** A whole Switchboard in memory, with an address, a clock and faults of its own. It ends by end(), or with this PHP process. */
final class World
{
    public readonly string $id, $baseUrl, $scopeId, $accountId, $subdomain, $channelId, $channelSecret;
    public readonly ?string $name;
    public readonly int $seed;
    /** @var array<string, string> The bearer tokens of the account users, by name. */
    public readonly array $tokens;
    /** @var array<string, string> The OAuth client: `id`, `secret`, `redirect_uri` and a first `code`. */
    public readonly array $oauthClient;
    private readonly Client $client;
    private bool $ended = false;
    /** @var (TestedProgram|Receiver)[] What ends with the world. */
    private array $started = [];

    /** From `subdomain` on, the arguments are ids that the tested program carries. */
    public function __construct(
        ?string $name = null, ?int $seed = null, ?string $clock = null, ?string $webhook = null, int|float|null $ttl = null,
        ?string $redirectUri = null, ?string $subdomain = null, ?string $channelId = null, ?int $phoneFieldId = null,
        ?int $emailFieldId = null, ?array $pipelines = null, ?array $users = null, ?array $leadFields = null, ?array $contactFields = null,
        ?array $salesbots = null,
    ) {
        $this->client = Process::shared()->client;
        $options = compact('name', 'seed', 'clock', 'webhook', 'ttl', 'subdomain', 'pipelines', 'users', 'salesbots') + [
            'redirect_uri' => $redirectUri, 'channel_id' => $channelId,
            'phone_field_id' => $phoneFieldId, 'email_field_id' => $emailFieldId,
            'lead_fields' => $leadFields, 'contact_fields' => $contactFields,
        ];
        $made = $this->client->json('POST', '/worlds', array_filter($options, fn ($value) => $value !== null));
        [$this->id, $this->name, $this->seed] = [$made['id'], $made['name'], $made['seed']];
        [$this->baseUrl, $this->scopeId, $this->accountId] = [$made['base_url'], $made['scope_id'], $made['account']['id']];
        $this->subdomain = $made['account']['subdomain'];
        [$this->channelId, $this->channelSecret] = [$made['channel']['id'], $made['channel']['secret']];
        $this->tokens = array_column($made['users'], 'token', 'name');
        $this->oauthClient = $made['oauth_client'];
    }

    public function customer(string $name): Customer { return new Customer($this, $name); }
    public function user(string $name): User { return new User($this, $name); }

    /** The messages of a customer, oldest first: `id`, `direction` (`in`, `out`) and `text` of each. */
    public function messages(string $customer): array
    {
        return $this->call('GET', '/customers/' . rawurlencode($customer) . '/messages')['messages'];
    }

    /** The habits that people have, each with how often it is `left`. */
    public function habits(): array { return $this->call('GET', '/habits')['habits']; }
    public function endHabits(): void { $this->call('DELETE', '/habits'); }

    /** Each of these gives the clock: `mode`, `now` and `now_ms`. */
    public function clock(): array { return $this->call('GET', '')['clock']; }
    public function setClock(string $mode): array { return $this->call('POST', '/clock', compact('mode')); }
    public function restart(): array { return $this->call('POST', '/restart', []); }
    public function advance(int|float $seconds = 0, int|float $minutes = 0, int|float $hours = 0): array
    {
        return $this->call('POST', '/advance', ['seconds' => $seconds + 60 * $minutes + 3600 * $hours], [], 60);
    }

    /** Keeps the world as it is; gives the id of the snapshot. */
    public function snapshot(): string { return $this->call('POST', '/snapshots', [])['id']; }
    /** Goes back to a snapshot and ends the ordered faults. */
    public function restore(string $snapshot): void { $this->call('POST', "/snapshots/$snapshot/restore", []); }

    /** Waits for a state; gives `cursor` and the `entries` that met it, or throws NotMet. */
    public function wait(
        string $until, int $count = 1, ?string $message = null, ?string $match = null,
        int|float|null $timeout = null, ?int $after = null, ?int $stage = null,
    ): array {
        $answer = $this->call('GET', '/wait', null, compact('until', 'count', 'message', 'match', 'timeout', 'after', 'stage'), 60);
        $what = "$until (count $count" . ($match === null ? ')' : ", match \"$match\")");
        return $answer['met'] ? $answer : throw new NotMet($what, $answer['why'], $answer['near'] ?? []);
    }

    /**
     * Starts the tested program, waits until it accepts connections on PORT, and sends the callbacks to it. It gets the variables
     * of scenario files, and those of `env`. It ends with the world.
     */
    public function program(
        array $command, string $path = '/', array $env = [], ?string $directory = null, int|float $seconds = 30,
    ): TestedProgram {
        $variables = TestedProgram::variables($this->call('GET', ''));
        $this->started[] = $program = new TestedProgram($variables, $command, $path, $env, $directory, $seconds);
        $this->setWebhook($program->url);
        return $program;
    }

    /** Starts a receiver and sends the callbacks to it. It ends with the world. */
    public function receiver(int $answer = 200): Receiver
    {
        $this->started[] = $receiver = new Receiver($this->channelSecret, $answer);
        $this->setWebhook($receiver->url);
        return $receiver;
    }

    /** What the tested programs have written, for people; empty when there is none. */
    public function programOutput(): string
    {
        $programs = array_filter($this->started, fn ($it) => $it instanceof TestedProgram);
        return implode('', array_map(fn ($it) => "The program at {$it->url}. {$it->shown()}\n", $programs));
    }

    /** Starts a fault. `more` are the members that only some faults have, such as `status: 503`, and `probability` with `seed`. */
    public function fault(string $on, string $do, int $times = 1, ?string $match = null, mixed ...$more): array
    {
        return $this->call('POST', '/faults', compact('on', 'do', 'times') + array_filter(compact('match'), 'is_string') + $more);
    }

    public function faults(): array { return $this->call('GET', '/faults')['faults']; }
    public function endFaults(): void { $this->call('DELETE', '/faults'); }

    /** Sets the address of callbacks; null: a receiver in memory answers 200. */
    public function setWebhook(?string $url): void { $this->call('PUT', '/webhook', compact('url')); }

    /** Subscribes an address to these events of the account, or to all; null: a receiver in memory answers 200. */
    public function subscribe(?string $url = null, ?array $settings = null): void
    {
        $this->call('PUT', '/hooks', compact('url', 'settings'));
    }

    /** The webhooks of the account: `url`, `settings`, `disabled`. */
    public function hooks(): array { return $this->call('GET', '')['hooks']; }
    public function endHooks(): void { $this->call('DELETE', '/hooks'); }

    /** Waits for hooks with this code, such as `add_message`, or with this text: `delivered`, `failed` or `attempt`. */
    public function waitForHook(?string $code = null, int $count = 1, string $state = 'delivered', ?float $timeout = null, ?int $after = null): array
    {
        return $this->wait("hook.$state", count: $count, match: $code, timeout: $timeout, after: $after);
    }

    /** What happened, oldest first; `after` is the cursor of an earlier entry or wait. */
    public function journal(?int $after = null): array
    {
        $lines = $this->client->text('GET', "/worlds/{$this->id}/journal", null, compact('after'));
        return array_map(fn ($line) => json_decode($line, true), array_filter(explode("\n", $lines)));
    }

    /** The journal for people, one line for each entry. */
    public function journalText(): string
    {
        return $this->client->text('GET', "/worlds/{$this->id}/journal", null, ['form' => 'text']);
    }

    /** Ends the world, with its programs and receivers. A second call does nothing. */
    public function end(): void
    {
        foreach ($this->started as $started) {
            $started->stop();
        }
        $this->ended = $this->ended || $this->call('DELETE', '');
    }

    /** Sends a request about this world. */
    public function call(string $method, string $path, ?array $body = null, array $query = [], float $timeout = 30): array
    {
        return $this->client->json($method, "/worlds/{$this->id}$path", $body, $query, $timeout);
    }
}

/** Somebody who can have habits. */
abstract class Person
{
    protected const ROLE = '';

    public function __construct(private readonly World $world, public readonly string $name) {}

    /** A habit: from now on, answers each message so many seconds of the world after it arrived. */
    public function answers(string $text, int|float $after, ?int $times = null): void
    {
        $this->keeps('answers', $times, compact('text', 'after'));
    }

    /** A habit: from now on, reads each message so many seconds of the world after it arrived. */
    public function reads(int|float $after, ?int $times = null): void
    {
        $this->keeps('reads', $times, compact('after'));
    }

    /** Ends the habits, with what is due of them. */
    public function endHabits(): void { $this->call('DELETE', '/habits'); }

    protected function keeps(string $habit, ?int $times, array $settings): void
    {
        $this->call('PUT', '/habits', ['do' => $habit] + $settings + array_filter(compact('times'), 'is_int'));
    }

    protected function call(string $method, string $path, ?array $body = null): array
    {
        return $this->world->call($method, '/' . static::ROLE . '/' . rawurlencode($this->name) . $path, $body);
    }
}

/** A customer, who writes through the channel. */
final class Customer extends Person
{
    protected const ROLE = 'customers';

    /** Writes a message; gives `msgid`, `message_id` and `conversation_id`. */
    public function says(string $text): array { return $this->call('POST', '/say', compact('text')); }
}

/** An account user, who answers customers. */
final class User extends Person
{
    protected const ROLE = 'users';

    /** Answers a customer, by default the one who wrote last; gives `message_id` and `conversation_id`. */
    public function replies(string $text, ?string $to = null): array
    {
        return $this->call('POST', '/reply', compact('text') + array_filter(['customer' => $to], 'is_string'));
    }

    /** A habit: from now on, becomes responsible for the conversation so many seconds of the world after each message. */
    public function takesOver(int|float $after, ?int $times = null): void
    {
        $this->keeps('takes_over', $times, compact('after'));
    }

    /** A habit: from now on, writes a note for the team so many seconds of the world after each message. */
    public function notes(string $text, int|float $after, ?int $times = null): void
    {
        $this->keeps('notes', $times, compact('text', 'after'));
    }

    /** A habit: from now on, snoozes the conversation for so many seconds, or until the customer writes, after each message. */
    public function snoozes(int|float $seconds, int|float $after, ?int $times = null): void
    {
        $this->keeps('snoozes', $times, compact('seconds', 'after'));
    }

    /** Agrees that the OAuth client of the world acts for the account; gives the code for its tokens. */
    public function consents(): string { return $this->call('POST', '/consent', [])['code']; }
}

/** A world for each test of a PHPUnit class. It ends with the test, and a test that failed prints its journal. */
trait UsesSwitchboard
{
    private ?World $switchboardWorld = null;

    /** The world of this test. The first call opens it, with the arguments of World. */
    protected function world(mixed ...$options): World { return $this->switchboardWorld ??= new World(...$options); }

    /** Examines a program, with the arguments of Exam::run. A broken rule fails the test. */
    protected function exam(string|array $command, mixed ...$options): Exam
    {
        $exam = Exam::run($command, ...$options);
        method_exists($this, 'addToAssertionCount') && $this->addToAssertionCount(count($exam->rules));
        return $exam;
    }

    /** @after PHPUnit 9 reads this word, later versions read the attribute. Another test runner calls it by itself. */
    #[\PHPUnit\Framework\Attributes\After]
    protected function endWorld(?bool $failed = null): void
    {
        [$world, $this->switchboardWorld] = [$this->switchboardWorld, null];
        $status = $failed === null && method_exists($this, 'status') ? $this->status() : null; // from PHPUnit 10 on
        $failed ??= $status ? $status->isFailure() || $status->isError() : $this->hasFailed();
        if ($world && $failed) {
            $name = method_exists($this, 'toString') ? $this->toString() : 'world ' . ($world->name ?? $world->id);
            try {
                echo "\nThe journal of $name:\n{$world->journalText()}{$world->programOutput()}";
            } catch (SwitchboardError $error) {
                echo "\nThere is no journal of $name: {$error->getMessage()}\n";
            }
        }
        $world?->end();
    }
}
