<?php
/** A receiver of callbacks and hooks on loopback, for tests without an application. It runs in a process of its own: that of the test waits. */
declare(strict_types=1);

namespace Switchboard\Testing;

/** Checks the signature of each callback and records it, and records the hooks of the account. A wrong signature gets 403, anything else `answer`. */
final class Receiver
{
    public readonly string $url;
    private readonly string $records;
    private $handle;
    /** @var resource The process ends when this closes. */
    private $input;

    public function __construct(string $secret, int $answer = 200)
    {
        $this->records = (string) tempnam(sys_get_temp_dir(), 'switchboard-receiver-');
        $command = [PHP_BINARY, __FILE__, $this->records, (string) $answer];
        $this->handle = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], STDERR], $pipes)
            ?: throw new ProgramError('The receiver cannot be started: ' . (error_get_last()['message'] ?? 'PHP gives no reason'));
        [$this->input, $output] = $pipes;
        // Not an argument: others can read those.
        fwrite($this->input, "$secret\n");
        $address = trim((string) fgets($output)) ?: throw new ProgramError('The receiver did not start.');
        $this->url = "http://$address/callbacks";
        register_shutdown_function($this->stop(...));
    }

    /** The callbacks with a right signature, in the order of their arrival: `path`, `headers` (names in lower case), `body`. */
    public function received(): array { return $this->records('callback'); }

    /** The requests with a wrong signature, which got 403. */
    public function refused(): array { return $this->records('refused'); }

    /**
     * The hooks of the account, which have no signature, in the order of their arrival: `path`, `headers`, `body`, `form` (as a tree,
     * such as `$form['message']['add'][0]['text']`), `request_id` (the same in every attempt), `attempt`.
     */
    public function hooks(): array
    {
        return array_map(function ($hook) {
            parse_str($hook['body'], $form);
            $headers = $hook['headers'];
            $attempt = (int) ($headers['x-delivery-attempt'] ?? 1);
            return $hook + ['form' => $form, 'request_id' => $headers['x-amocrm-requestid'] ?? null, 'attempt' => $attempt];
        }, $this->records('hook'));
    }

    /** The texts of the messages that were received. */
    public function texts(): array
    {
        $texts = array_map(fn ($it) => json_decode($it['body'], true)['message']['message']['text'] ?? null, $this->received());
        return array_values(array_filter($texts, 'is_string'));
    }

    /** Ends the receiver. */
    public function stop(): void
    {
        if (is_resource($this->input)) {
            fclose($this->input);
            proc_close($this->handle);
            unlink($this->records);
        }
    }

    private function records(string $kind): array
    {
        $lines = @file($this->records, FILE_IGNORE_NEW_LINES) ?: [];
        $records = array_map(fn ($line) => ['body' => base64_decode($line['body'])] + $line,
            array_map(fn ($line) => json_decode($line, true), $lines));
        $chosen = array_filter($records, fn ($record) => $record['kind'] === $kind);
        return array_values(array_map(fn ($record) => array_diff_key($record, ['kind' => 0]), $chosen));
    }

    /** The process of a receiver, until its input closes. */
    public static function serve(string $records, int $answer): void
    {
        $secret = trim((string) fgets(STDIN));
        $server = stream_socket_server('tcp://127.0.0.1:0') ?: exit(1);
        echo stream_socket_get_name($server, false), "\n";
        while (true) {
            [$ready, $none] = [[$server, STDIN], null];
            stream_select($ready, $none, $none, null);
            if (in_array(STDIN, $ready, true)) {
                return;
            }
            $connection = @stream_socket_accept($server, 1);
            $request = $connection ? self::request($connection) : null;
            if ($request !== null) {
                $kind = self::kind($request, $secret);
                $record = ['kind' => $kind, 'body' => base64_encode($request['body'])] + $request;
                // Before the answer: who waits for it finds the record.
                file_put_contents($records, json_encode($record, JSON_INVALID_UTF8_SUBSTITUTE) . "\n", FILE_APPEND);
                $status = $kind === 'refused' ? 403 : $answer;
                fwrite($connection, "HTTP/1.1 $status Answered\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            }
            $connection && fclose($connection);
        }
    }

    /** What a request is: a `hook`, a `callback`, or `refused`. */
    private static function kind(array $request, string $secret): string
    {
        $headers = $request['headers'];
        $is_form = str_starts_with($headers['content-type'] ?? '', 'application/x-www-form-urlencoded');
        if ($is_form && str_starts_with($headers['user-agent'] ?? '', 'amoCRM-Webhooks/') && !isset($headers['x-signature'])) {
            return 'hook';
        }
        $right = hash_hmac('sha1', $request['body'], $secret);
        return hash_equals($right, strtolower($headers['x-signature'] ?? '')) ? 'callback' : 'refused';
    }

    /** The request of a connection; null when it does not come as a whole: 15 seconds, 32 KiB of a head, 4 MiB of a body. */
    private static function request($connection): ?array
    {
        [$bytes, $deadline] = ['', hrtime(true) + 15e9];
        stream_set_blocking($connection, false);
        $length = null;
        while ($length === null || strlen($bytes) < $length) {
            [$ready, $none] = [[$connection], null];
            if (hrtime(true) > $deadline || !stream_select($ready, $none, $none, 1) && hrtime(true) > $deadline) {
                return null;
            }
            $piece = fread($connection, 65_536);
            if (($piece === '' || $piece === false) && feof($connection)) {
                return null;
            }
            $bytes .= $piece;
            $end = strpos($bytes, "\r\n\r\n");
            if ($length === null && $end !== false) {
                $body = preg_match('/^content-length: *(\d+)/im', substr($bytes, 0, $end), $found) ? (int) $found[1] : 0;
                $length = $body <= 4 << 20 ? $end + 4 + $body : 0;
            }
            if ($length === 0 || $length === null && strlen($bytes) > 32_768) {
                return null;
            }
        }
        [$head, $body] = explode("\r\n\r\n", $bytes, 2);
        $lines = explode("\r\n", $head);
        $headers = [];
        foreach (array_slice($lines, 1) as $line) {
            [$name, $value] = explode(':', $line, 2) + ['', ''];
            $headers[strtolower($name)] = trim($value);
        }
        return ['path' => explode(' ', $lines[0])[1] ?? '', 'headers' => $headers, 'body' => $body];
    }
}

// As a program, this file is the process of a receiver.
if (PHP_SAPI === 'cli' && realpath($_SERVER['SCRIPT_FILENAME'] ?? '') === __FILE__) {
    Receiver::serve($argv[1], (int) $argv[2]);
}
