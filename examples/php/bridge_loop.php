<?php
/** The loop: whatever would wait is a fiber, and goes on when its stream or its time is there. PHP has no threads. */
declare(strict_types=1);

/** The exception for a request without a whole answer: the other side may have done what it was asked for, or not. */
class Lost extends RuntimeException {}

/** The exception for what takes too long. */
final class Late extends Lost {}

/** The exception for what has more bytes than it may have. */
final class TooLong extends Lost {}

/** Writes a line of the log. The trace of an error is not in it: its arguments may be secrets. */
function note(string $text, ?Throwable $why = null): void
{
    fwrite(STDERR, $text . ($why ? ": {$why->getMessage()} ({$why->getFile()}:{$why->getLine()})" : '') . "\n");
}

/** Returns the seconds of a clock that nobody sets. */
function uptime(): float
{
    return hrtime(true) / 1e9;
}

/** The loop. */
final class Loop
{
    /** The fibers that wait, each with its stream, the direction, and the end of its patience. */
    private static array $waits = [];

    /** Starts work in a fiber of its own, as soon as all others wait. */
    public static function go(Closure $work): void
    {
        self::$waits[] = [new Fiber(function () use ($work): void {
            try {
                $work();
            } catch (Throwable $error) { // A mistake in one piece of work must not end the process.
                note('some work failed', $error);
            }
        }), null, false, 0.0];
    }

    /** Resumes a fiber that has suspended itself. */
    public static function resume(Fiber $fiber): void
    {
        self::$waits[] = [$fiber, null, false, 0.0];
    }

    public static function sleep(float $seconds): void
    {
        self::wait(null, false, uptime() + $seconds);
    }

    /** Lets the fiber wait for a stream. Returns whether the stream was ready in time. */
    public static function wait(mixed $stream, bool $forWriting, float $until): bool
    {
        self::$waits[] = [Fiber::getCurrent(), $stream, $forWriting, $until];
        return Fiber::suspend();
    }

    /** Goes on until the process ends. */
    public static function run(): never
    {
        while (true) {
            [$readable, $writable, $except, $next] = [[], [], null, uptime() + 60];
            foreach (self::$waits as $key => [, $stream, $forWriting, $until]) {
                $next = min($next, $until);
                if ($stream) {
                    $forWriting ? $writable[$key] = $stream : $readable[$key] = $stream;
                }
            }
            $pause = (int) ceil(max(0, $next - uptime()) * 1e6);
            $readable || $writable
                ? stream_select($readable, $writable, $except, intdiv($pause, 1_000_000), $pause % 1_000_000)
                : usleep($pause);
            foreach (self::$waits as $key => [$fiber, , , $until]) {
                $isReady = isset($readable[$key]) || isset($writable[$key]);
                if ($isReady || $until <= uptime()) {
                    unset(self::$waits[$key]);
                    $fiber->isStarted() ? $fiber->resume($isReady) : $fiber->start();
                }
            }
        }
    }
}

/** A number of permits, given in the order of the requests for them. One permit makes a lock. */
final class Permits
{
    private array $queue = [];

    public function __construct(private int $free) {}

    public function run(Closure $work): mixed
    {
        if ($this->free > 0) {
            $this->free--;
        } else {
            $this->queue[] = Fiber::getCurrent();
            Fiber::suspend();
        }
        try {
            return $work();
        } finally { // The next one gets this permit itself, so that nobody comes between.
            $this->queue ? Loop::resume(array_shift($this->queue)) : $this->free++;
        }
    }
}

/** A connection. Reading and writing let the fiber wait, until the deadline at most. */
final class Connection
{
    private const HEAD_MAX = 64 << 10;
    private float $deadline;

    public function __construct(private mixed $stream, float $seconds)
    {
        stream_set_blocking($stream, false);
        $this->deadline = uptime() + $seconds;
    }

    public function wait(bool $forWriting): void
    {
        if (!Loop::wait($this->stream, $forWriting, $this->deadline)) {
            throw new Late('it takes too long');
        }
    }

    public function encrypt(): void
    {
        while (($state = @stream_socket_enable_crypto($this->stream, true, STREAM_CRYPTO_METHOD_TLS_CLIENT)) === 0) {
            $this->wait(false);
        }
        $state ?: throw new Lost('there is no encrypted connection');
    }

    /** Returns the bytes that are there; none at the end. */
    public function read(): string
    {
        while (($bytes = (string) @fread($this->stream, 1 << 16)) === '' && !feof($this->stream)) {
            $this->wait(false);
        }
        return $bytes;
    }

    public function write(string $bytes): void
    {
        while (true) {
            $count = @fwrite($this->stream, $bytes);
            $bytes = $count === false ? throw new Lost('the connection broke') : substr($bytes, $count);
            if ($bytes === '') {
                return;
            }
            $this->wait(true);
        }
    }

    /** Reads the head. Returns its first line, the headers by their names in lower case, and the beginning of the body. */
    public function readHead(): array
    {
        for ($bytes = ''; ($end = strpos($bytes, "\r\n\r\n")) === false; $bytes .= $piece) {
            if (($piece = $this->read()) === '' || strlen($bytes) > self::HEAD_MAX) {
                throw new Lost('the connection ended in the head');
            }
        }
        $lines = explode("\r\n", substr($bytes, 0, $end));
        $headers = [];
        foreach (array_slice($lines, 1) as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower($name)] = trim($value);
        }
        return [$lines[0], $headers, substr($bytes, $end + 4)];
    }

    /** Reads on until the body has its length; without one, to the end. */
    public function readBody(string $bytes, int $length = PHP_INT_MAX, int $max = PHP_INT_MAX): string
    {
        while (strlen($bytes) < $length && ($piece = $this->read()) !== '') {
            $bytes .= $piece;
            strlen($bytes) <= $max ?: throw new TooLong('it has too many bytes');
        }
        return substr($bytes, 0, $length);
    }
}
