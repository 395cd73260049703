<?php
/** The trait UsesSwitchboard: without PHPUnit, and in PHPUnit. */
declare(strict_types=1);

use Switchboard\Testing\{ApiError, UsesSwitchboard, World};

/** A test of a runner that knows nothing of PHPUnit. */
final class PlainTest
{
    use UsesSwitchboard;

    /** Runs a function with the world of this test. Gives the world and what the end of the test prints. */
    public function run(bool $failed, callable $function): array
    {
        $function($world = $this->world(name: 'plain', clock: 'frozen'));
        same($world, $this->world(), 'The world of a second call');
        ob_start();
        try {
            $this->endWorld($failed);
        } finally {
            $printed = ob_get_clean();
        }
        return [$world, $printed];
    }
}

function test_a_failed_test_prints_the_journal_and_ends_its_world(): void
{
    [$world, $printed] = (new PlainTest())->run(true, fn (World $world) => $world->advance(minutes: 15));
    contains("The journal of world plain:\n", $printed);
    contains('advances the clock by 900 s', $printed);
    same(410, thrown(ApiError::class, fn () => $world->clock())->status);
}

function test_a_successful_test_prints_nothing_and_ends_its_world(): void
{
    [$world, $printed] = (new PlainTest())->run(false, fn (World $world) => $world->advance(minutes: 15));
    same('', $printed);
    same(410, thrown(ApiError::class, fn () => $world->clock())->status);
}

function test_each_test_has_a_world_of_its_own(): void
{
    $test = new PlainTest();
    [$first] = $test->run(false, fn () => null);
    [$second] = $test->run(false, fn () => null);
    same(true, $first->id !== $second->id, 'That the ids differ');
}

function test_a_test_may_end_its_world_by_itself(): void
{
    [, $printed] = (new PlainTest())->run(false, fn (World $world) => $world->end());
    same('', $printed);
}

function test_a_failed_test_shows_the_journal_of_a_world_that_ended(): void
{
    [, $printed] = (new PlainTest())->run(true, fn (World $world) => $world->end());
    contains('The journal of world plain:', $printed);
    contains('makes the world', $printed);
}

function test_a_failed_test_without_a_journal_says_why(): void
{
    [, $printed] = (new PlainTest())->run(true, function (World $world): void {
        $world->end();
        // The journals of the 20 worlds that ended last can be read.
        for ($ended = 0; $ended < 20; $ended++) {
            (new World())->end();
        }
    });
    contains('There is no journal of world plain: ', $printed);
    contains('410', $printed);
}

function test_phpunit_prints_the_journal_of_each_test_that_fails(): void
{
    $phpunit = on_path('phpunit') ?? throw new Skipped('phpunit is not on PATH: install the package phpunit');
    $tests = __DIR__ . '/phpunit/UsesSwitchboardTest.php';
    $command = [PHP_BINARY, $phpunit, '--no-configuration', '--do-not-cache-result', $tests];
    $pipes = [1 => ['pipe', 'w'], 2 => ['redirect', 1]];
    $process = proc_open($command, $pipes, $pipes);
    $output = stream_get_contents($pipes[1]);
    same(2, proc_close($process), "The exit code of PHPUnit (2: there was an error), which printed:\n$output\n");
    contains('Tests: 9, Assertions: 12, Errors: 1, Failures: 3.', $output);
    preg_match_all('/The journal of UsesSwitchboardTest::(\w+):/', $output, $journals);
    same(['test_an_assertion_fails', 'test_a_wait_fails', 'test_an_error_fails'], $journals[1], 'The tests with a journal');
    contains('callback.delivered (count 1) was not met: ', $output);
    contains('Words of Ada', $output);
    contains('an error of the test', $output);
    contains('The program «false» does not pass the exam.', $output);
}
