<?php
/** The program that is tested: it gets what it needs to know of its world, and ends with the world. */
declare(strict_types=1);

namespace Switchboard\Testing;

/** A tested program that accepts connections. Callbacks of its world go to `url`. */
final class TestedProgram
{
    public readonly string $url;
    public readonly int $port, $pid;
    /** Leads the group of the program. When its input closes, the process of the test has ended, and the group ends too. */
    public const LEADER = <<<'SH'
        trap : TERM
        exec 3<&0 </dev/null
        "$@" 3<&- &
        program=$!
        { trap - TERM; cat <&3 >/dev/null; kill -s KILL 0; } 2>/dev/null &
        exec 3<&-
        while :; do wait "$program"; code=$?; kill -0 "$program" 2>/dev/null || exit "$code"; done
        SH;
    private readonly string $output, $shown;
    /** @var resource */
    private $input;
    private string $last = '';
    private $handle;

    /** Starts the program and waits until it accepts connections on PORT, so many seconds at most. */
    public function __construct(
        array $variables, array $command, string $path = '/', array $env = [], ?string $directory = null, int|float $seconds = 30,
    ) {
        $this->port = self::freePort();
        $this->url = "http://127.0.0.1:{$this->port}$path";
        $this->shown = implode(' ', $command);
        $this->output = (string) tempnam(sys_get_temp_dir(), 'switchboard-program-');
        $env += ['PORT' => (string) $this->port] + $variables + getenv();
        // A group of its own: what the program starts ends with it.
        $this->handle = @proc_open(
            ['setsid', 'sh', '-c', self::LEADER, 'sh', ...$command],
            [['pipe', 'r'], ['file', $this->output, 'a'], ['file', $this->output, 'a']],
            $pipes, $directory, $env,
        );
        if (!is_resource($this->handle)) {
            $why = error_get_last()['message'] ?? 'PHP gives no reason';
            unlink($this->output);
            throw new ProgramError("The program «{$this->shown}» cannot be started: $why");
        }
        $this->input = $pipes[0];
        $status = proc_get_status($this->handle); // Before PHP 8.3 only the first one after the end has the exit code.
        $this->pid = $status['pid'];
        register_shutdown_function($this->stop(...));
        $deadline = hrtime(true) + $seconds * 1e9;
        for (; !self::accepts($this->port); usleep(10_000), $status = proc_get_status($this->handle)) { // Nothing reports a port.
            if (!$status['running'] || hrtime(true) > $deadline) {
                $this->stop($status['running']);
                $how = $status['running']
                    ? "accepted no connection within $seconds s" : "ended with the code {$status['exitcode']} before it accepted connections";
                throw new ProgramError("The program «{$this->shown}» $how on port {$this->port} (PORT). {$this->shown()}");
            }
        }
    }

    /** What the program needs to know: the variables of scenario files. */
    public static function variables(array $world): array
    {
        [$channel, $client] = [$world['channel'], $world['oauth_client']];
        return [
            'SWITCHBOARD_URL' => $world['base_url'],
            'SWITCHBOARD_ACCOUNT_ID' => $world['account']['id'],
            'SWITCHBOARD_CHANNEL_ID' => $channel['id'],
            'SWITCHBOARD_SCOPE_ID' => $world['scope_id'],
            'SWITCHBOARD_CHANNEL_SECRET' => $channel['secret'],
            'SWITCHBOARD_USER_TOKEN' => $world['users'][0]['token'],
            'SWITCHBOARD_CLIENT_ID' => $client['id'],
            'SWITCHBOARD_CLIENT_SECRET' => $client['secret'],
            'SWITCHBOARD_REDIRECT_URI' => $client['redirect_uri'],
            'SWITCHBOARD_CODE' => $client['code'],
        ];
    }

    /** The end of what the program has written to its standard output and error. */
    public function output(): string
    {
        return is_file($this->output) ? substr((string) file_get_contents($this->output), -20_000) : $this->last;
    }

    /** What a failed test shows of the program. */
    public function shown(): string
    {
        $output = rtrim($this->output());
        return $output === '' ? 'It has written nothing.' : "Its output:\n$output";
    }

    /** Ends the program and all that it has started: with SIGTERM, and after 5 seconds with SIGKILL. */
    public function stop(bool $runs = true): void
    {
        if (!is_resource($this->handle)) {
            return;
        }
        $runs && self::signalGroup($this->pid, 'TERM');
        for ($deadline = hrtime(true) + 5e9; hrtime(true) < $deadline && proc_get_status($this->handle)['running'];) {
            usleep(10_000);
        }
        self::signalGroup($this->pid, 'KILL');
        fclose($this->input);
        proc_close($this->handle);
        $this->last = $this->output();
        @unlink($this->output);
    }

    public static function signalGroup(int $pid, string $name): void
    {
        // Nothing of the group may be left.
        exec("kill -s $name -- -$pid 2>/dev/null");
    }

    private static function freePort(): int
    {
        $free = stream_socket_server('tcp://127.0.0.1:0') ?: throw new ProgramError('No port is free on 127.0.0.1.');
        return (int) substr(strrchr((string) stream_socket_get_name($free, false), ':'), 1);
    }

    private static function accepts(int $port): bool
    {
        $socket = @stream_socket_client("tcp://127.0.0.1:$port", $code, $why, 1);
        return $socket && fclose($socket);
    }
}
