<?php
/** The program: where the kit looks for it, and how long it lives. */
declare(strict_types=1);

use Switchboard\Testing\{Process, ProgramError, World};

/** Runs a function while these environment variables are set; null removes one. */
function with_env(array $variables, callable $function): mixed
{
    $set = fn ($values) => array_walk($values, fn ($value, $name) => putenv($value === null ? $name : "$name=$value"));
    $before = array_merge(array_fill_keys(array_keys($variables), null), array_intersect_key(getenv(), $variables));
    $set($variables);
    try {
        return $function();
    } finally {
        $set($before);
    }
}

function test_a_program_that_is_nowhere_is_an_error_that_names_both_places(): void
{
    $env = ['SWITCHBOARD_BIN' => null, 'PATH' => '/no/such/folder:/nor/this/one'];
    $error = with_env($env, fn () => thrown(ProgramError::class, Process::find(...)));
    contains('SWITCHBOARD_BIN is not set', $error->getMessage());
    contains('/no/such/folder, /nor/this/one', $error->getMessage());
    contains('set SWITCHBOARD_BIN to its path', $error->getMessage());
}

function test_a_wrong_SWITCHBOARD_BIN_is_an_error_and_PATH_is_not_searched(): void
{
    $folder = folder();
    file_put_contents("$folder/switchboard", '');
    chmod("$folder/switchboard", 0o700);
    $env = ['SWITCHBOARD_BIN' => __FILE__, 'PATH' => $folder];
    $error = with_env($env, fn () => thrown(ProgramError::class, Process::find(...)));
    contains('SWITCHBOARD_BIN is "' . __FILE__ . '", which is no executable file', $error->getMessage());
    contains('PATH was not searched', $error->getMessage());
}

function test_the_program_is_found_by_SWITCHBOARD_BIN_and_else_by_PATH(): void
{
    [$first, $second] = [folder(), folder()];
    foreach ([$first, $second] as $folder) {
        file_put_contents("$folder/switchboard", '');
        chmod("$folder/switchboard", 0o700);
    }
    $path = "/no/such/folder:$second";
    same("$first/switchboard", with_env(['SWITCHBOARD_BIN' => "$first/switchboard", 'PATH' => $path], Process::find(...)));
    same("$second/switchboard", with_env(['SWITCHBOARD_BIN' => null, 'PATH' => $path], Process::find(...)));
}

function test_a_program_that_does_not_start_is_an_error_with_the_end_of_its_log(): void
{
    [$folder, $temporary] = [folder(), folder()];
    file_put_contents("$folder/program", "#!/bin/sh\necho 'no such option' >&2\nexit 3\n");
    chmod("$folder/program", 0o700);
    $code = 'try { new World(); } catch (Exception $error) { echo get_class($error), " ", $error->getMessage(); }';
    [$exit, $output] = run_php($code, ['SWITCHBOARD_BIN' => "$folder/program", 'TMPDIR' => $temporary]);
    same(0, $exit, $output);
    contains('ProgramError', $output);
    contains('ended with exit code 3', $output);
    contains('no such option', $output);
    same([], names($temporary), 'What is left in the folder of temporary files');
}

function test_one_process_serves_all_worlds(): void
{
    [$one, $other] = [new World(), new World()];
    $pid = Process::shared()->pid;
    same(true, $one->baseUrl !== $other->baseUrl, 'That the addresses differ');
    $one->customer('bo')->says('Hi');
    same([], $other->messages('bo'));
    $one->end();
    $other->end();
    same($pid, Process::shared()->pid);
}

function test_the_program_ends_with_its_php_process_and_leaves_no_file(): void
{
    $temporary = folder();
    $code = 'new World(); echo Process::shared()->pid, "\n"; throw new Exception("the end");';
    [$exit, $output] = run_php($code, ['TMPDIR' => $temporary]);
    same(255, $exit, $output);
    same(false, file_exists('/proc/' . (int) $output), 'That the program still runs');
    same([], names($temporary), 'What is left in the folder of temporary files');
}

function test_the_program_starts_again_after_stop(): void
{
    $code = 'new World(); $first = Process::shared(); $first->stop(); $first->stop();
        var_dump(file_exists("/proc/{$first->pid}")); new World(); var_dump(Process::shared() === $first);';
    same([0, "bool(false)\nbool(false)\n"], run_php($code));
}

function test_the_program_ends_when_its_php_process_is_killed(): void
{
    $temporary = folder();
    // The other process of the killed one lives on. It must not hold the pipe that keeps the program alive.
    $code = 'new World(); $other = proc_open([PHP_BINARY, "-r", "fgets(STDIN);"], [], $pipes);
        echo Process::shared()->pid, "\n"; fgets(STDIN);';
    [$process, $output, $input] = start_php($code, ['TMPDIR' => $temporary]);
    $pid = (int) fgets($output);
    same(true, file_exists("/proc/$pid"), 'That the program runs');
    proc_terminate($process, 9);
    gone($pid);
    fclose($input);
    proc_close($process);
}

function test_a_program_that_was_killed_is_an_error_with_the_end_of_its_log(): void
{
    $temporary = folder();
    $code = '$world = new World(); $pid = Process::shared()->pid; exec("kill -9 $pid");
        try { $world->clock(); } catch (Exception $error) { echo get_class($error), " ", $error->getMessage(); }';
    [$exit, $output] = run_php($code, ['TMPDIR' => $temporary]);
    same(0, $exit, $output);
    contains('NoAnswer GET /worlds/w1 got no answer', $output);
    contains("The end of the program's log:", $output);
    contains('is ready on 127.0.0.1:', $output);
    same([], glob("$temporary/switchboard-*"), 'What the kit leaves in the folder of temporary files');
}

function test_a_forked_process_has_a_program_of_its_own(): void
{
    if (!function_exists('pcntl_fork')) {
        throw new Skipped('PHP has no pcntl here: install the extension pcntl');
    }
    $code = '$mine = Process::shared()->pid;
        if (pcntl_fork() === 0) { new World(); echo Process::shared()->pid === $mine ? "shared" : "own", "\n"; exit; }
        pcntl_wait($status); new World(); echo Process::shared()->pid === $mine ? "kept" : "lost", "\n";';
    same([0, "own\nkept\n"], run_php($code));
}
