<?php
/** What the tests need: assertions, child processes, and a server that gives a fixed answer. */
declare(strict_types=1);

const KIT = __DIR__ . '/../switchboard_testing.php';

final class Skipped extends Exception {}

function same(mixed $expected, mixed $actual, string $what = 'The value'): void
{
    if ($expected !== $actual) {
        throw new AssertionError("$what is " . var_export($actual, true) . ', expected: ' . var_export($expected, true));
    }
}

function contains(string $part, string $text): void
{
    if (!str_contains($text, $part)) {
        throw new AssertionError("\"$part\" is missing in:\n$text");
    }
}

/** Runs the function and gives what it throws, which must be of this class. */
function thrown(string $class, callable $function): Throwable
{
    try {
        $function();
    } catch (Throwable $error) {
        return $error instanceof $class ? $error : throw $error;
    }
    throw new AssertionError("Expected $class, and nothing was thrown");
}

/** The path of a program on PATH, or null. */
function on_path(string $program): ?string
{
    foreach (explode(PATH_SEPARATOR, (string) getenv('PATH')) as $folder) {
        if (is_executable("$folder/$program")) {
            return "$folder/$program";
        }
    }
    return null;
}

/** An empty folder, which ends with this process. */
function folder(): string
{
    $folder = sys_get_temp_dir() . '/kit-test-' . bin2hex(random_bytes(8));
    mkdir($folder);
    register_shutdown_function('remove', $folder);
    return $folder;
}

/** The names of all that is in a folder. */
function names(string $folder): array
{
    return array_values(array_diff(scandir($folder), ['.', '..']));
}

/** Removes a folder with all that is in it. */
function remove(string $folder): void
{
    foreach (names($folder) as $name) {
        is_dir("$folder/$name") ? remove("$folder/$name") : unlink("$folder/$name");
    }
    rmdir($folder);
}

/** A PHP process that runs this code with the kit. Its output is readable from the second value. */
function start_php(string $code, array $env = []): array
{
    $code = 'error_reporting(E_ALL); ini_set("display_errors", "1"); require ' . var_export(KIT, true) . ';'
        . "use Switchboard\\Testing\\{Process, World}; $code";
    $pipes = [['pipe', 'r'], ['pipe', 'w'], ['redirect', 1]];
    $process = proc_open([PHP_BINARY, '-r', $code], $pipes, $pipes, null, $env + getenv());
    return [$process, $pipes[1], $pipes[0]];
}

/** Runs such a process to its end. Gives its exit code and its output. */
function run_php(string $code, array $env = []): array
{
    [$process, $output] = start_php($code, $env);
    $text = stream_get_contents($output);
    return [proc_close($process), $text];
}

/** A server in a process of its own that gives each connection these bytes. Gives its URL and its process. */
function start_server(string $bytes): array
{
    [$process, $output] = start_php('
        $server = stream_socket_server("tcp://127.0.0.1:0");
        echo stream_socket_get_name($server, false), "\n";
        while ($connection = stream_socket_accept($server, 60)) {
            fread($connection, 65536);
            fwrite($connection, ' . var_export($bytes, true) . ');
            fclose($connection);
        }');
    return ['http://' . trim(fgets($output)) . '/dev/v1', $process];
}

/** Nanoseconds that a test waits for a state before it fails: far longer than any machine needs that is only slow. */
const PATIENCE_NS = 120e9;

/** Waits until a process of this id is gone. */
function gone(int $pid): void
{
    for ($deadline = hrtime(true) + PATIENCE_NS; file_exists("/proc/$pid"); usleep(5_000)) {
        if (hrtime(true) > $deadline) {
            throw new AssertionError("The process $pid still runs");
        }
    }
}
