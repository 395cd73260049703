<?php
/** HTTP in both directions: the address of the bridge, and the requests that it makes itself. */
declare(strict_types=1);

/** A request to the bridge. */
final class Request
{
    public readonly string $path;
    public readonly array $query;

    /** The names of the headers are in lower case. */
    public function __construct(
        public readonly string $method,
        string $target,
        private array $headers,
        public readonly string $body,
    ) {
        [$this->path, $query] = explode('?', $target, 2) + [1 => ''];
        parse_str($query, $values);
        $this->query = array_filter($values, 'is_string');
    }

    public function header(string $name): string
    {
        return $this->headers[$name] ?? '';
    }
}

/** The address of the bridge: it reads whole requests, whoever sends them, and survives all of them. */
final class Server
{
    private const BODY_MAX = 4 << 20;
    private const SECONDS = 60;
    private const CONNECTIONS_MAX = 500; // `stream_select` can watch 1,024 streams.
    private int $connections = 0;

    /** `$handle` takes a `Request`, and gives the status and the text of the answer. */
    public function __construct(private Closure $handle) {}

    public function listen(string $address): void
    {
        $context = stream_context_create(['socket' => ['backlog' => 1024]]);
        $flags = STREAM_SERVER_BIND | STREAM_SERVER_LISTEN;
        $server = stream_socket_server("tcp://$address", $code, $why, $flags, $context) ?: throw new RuntimeException($why);
        Loop::go(function () use ($server): void {
            while (Loop::wait($server, false, INF)) {
                while ($this->connections >= self::CONNECTIONS_MAX) {
                    Loop::sleep(0.05);
                }
                if ($stream = @stream_socket_accept($server, 0)) {
                    $this->connections++;
                    Loop::go(fn () => $this->serve($stream));
                }
            }
        });
    }

    private function serve(mixed $stream): void
    {
        try {
            $connection = new Connection($stream, self::SECONDS);
            [$status, $text] = $this->answer($connection);
            $head = "HTTP/1.1 $status Status\r\nContent-Type: application/json\r\nConnection: close\r\n";
            $connection->write("{$head}Content-Length: " . strlen($text) . "\r\n\r\n$text");
        } catch (Lost) { // A connection that broke is the sender's business: it sends the callback again.
        } finally {
            fclose($stream);
            $this->connections--;
        }
    }

    private function answer(Connection $connection): array
    {
        [$line, $headers, $bytes] = $connection->readHead();
        [$method, $target] = explode(' ', $line) + ['', ''];
        $length = $headers['content-length'] ?? ($method === 'POST' ? '' : '0');
        if (!ctype_digit($length)) {
            return [411, ''];
        }
        if ((int) $length > self::BODY_MAX) { // A sender in the middle of its body would not see the answer.
            for ($rest = (int) $length - strlen($bytes); $rest > 0; $rest -= strlen($bytes)) {
                ($bytes = $connection->read()) !== '' ?: throw new Lost('the sender has gone');
            }
            return [413, ''];
        }
        $body = $connection->readBody($bytes, (int) $length);
        strlen($body) === (int) $length ?: throw new Lost('the sender has gone');
        try {
            return ($this->handle)(new Request($method, $target, $headers, $body));
        } catch (Throwable $error) { // For example a full disk: the sender tries again.
            note("$method failed", $error);
            return [503, ''];
        }
    }
}

/** The outcome of a request: `Again` is to be repeated unchanged, and a repeat of what is `Refused` would not help. */
enum Verdict
{
    case Done;
    case Again;
    case Refused;
}

/** The answer to a request of the bridge. */
final class Answer
{
    public readonly string $mediaType;
    public readonly bool $isJson; // A page of a gateway is never parsed.

    public function __construct(public readonly int $status, private array $headers, public readonly string $body)
    {
        $this->mediaType = strtolower(trim(explode(';', $this->header('content-type'))[0]));
        $this->isJson = str_contains($this->mediaType, 'json');
    }

    /**
     * Makes a request with any answer. Redirects are answers, too: a signed request is valid at one address. The version 1.0 of
     * HTTP has neither chunks nor answers before the answer. 30 seconds: an OAuth code works once, and if its answer is given up, an
     * administrator has to agree again.
     *
     * @throws Lost without a whole answer
     */
    public static function fetch(
        string $method, string $url, array $headers = [], string $body = '', int $max = 4 << 20, int $seconds = 30,
    ): self {
        ['scheme' => $scheme, 'host' => $host, 'path' => $path, 'query' => $query] = $parts = (parse_url($url) ?: [])
            + ['scheme' => '', 'host' => '', 'path' => '/', 'query' => null];
        $isEncrypted = strtolower($scheme) === 'https';
        $port = $parts['port'] ?? ($isEncrypted ? 443 : 80);
        $context = stream_context_create(['ssl' => ['peer_name' => trim($host, '[]')]]);
        $flags = STREAM_CLIENT_CONNECT | STREAM_CLIENT_ASYNC_CONNECT;
        // PHP tries one address of a name, so it gets one of IPv4 if there is one. All fibers wait for this look-up.
        $address = gethostbyname($host);
        $stream = @stream_socket_client("tcp://$address:$port", $code, $why, $seconds, $flags, $context);
        $stream ?: throw new Lost("$host: $why");
        try {
            $connection = new Connection($stream, $seconds);
            $connection->wait(true);
            if ($isEncrypted) {
                $connection->encrypt();
            }
            $head = "$method $path" . ($query === null ? '' : "?$query") . " HTTP/1.0\r\n";
            $headers += ['Host' => isset($parts['port']) ? "$host:$port" : $host, 'Content-Length' => strlen($body)];
            foreach ($headers as $name => $value) {
                $head .= "$name: $value\r\n";
            }
            $connection->write("$head\r\n$body");
            return self::read($connection, $max);
        } finally {
            fclose($stream);
        }
    }

    private static function read(Connection $connection, int $max): self
    {
        [$line, $headers, $bytes] = $connection->readHead();
        $status = preg_match('~^HTTP/1\.\d (\d{3})~', $line, $match) ? (int) $match[1] : throw new Lost('this is no HTTP');
        $length = $status === 204 ? '0' : $headers['content-length'] ?? '';
        $hasLength = ctype_digit($length);
        !$hasLength || (int) $length <= $max ?: throw new TooLong("it has $length bytes");
        $body = $connection->readBody($bytes, $hasLength ? (int) $length : PHP_INT_MAX, $max);
        !$hasLength || strlen($body) === (int) $length ?: throw new Lost(strlen($body) . " of $length bytes");
        return new self($status, $headers, $body);
    }

    public function header(string $name): string
    {
        return $this->headers[$name] ?? '';
    }

    /** Returns the time in a header, in seconds since 1970. */
    public function time(string $header): ?int
    {
        $format = 'D, d M Y H:i:s \G\M\T';
        $moment = DateTimeImmutable::createFromFormat($format, $this->header($header), new DateTimeZone('UTC'));
        return $moment ? $moment->getTimestamp() : null;
    }

    public function verdict(): Verdict
    {
        return match (true) {
            $this->status < 300 => $this->mediaType === 'text/html' ? Verdict::Again : Verdict::Done,
            $this->status < 400 || $this->status >= 500 => Verdict::Again,
            // About a token, a secret, a time or the whole account, and not about this very request.
            in_array($this->status, [401, 402, 403, 408, 425, 429]) => Verdict::Again,
            default => Verdict::Refused,
        };
    }

    /** Returns the object in the body; without one, an empty object. */
    public function json(): array
    {
        $value = $this->isJson ? json_decode($this->body, true) : null;
        return is_array($value) ? $value : [];
    }

    public function __toString(): string
    {
        return "$this->status " . ($this->isJson ? substr($this->body, 0, 300) : '(no JSON)');
    }
}
