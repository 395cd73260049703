<?php
/** Runs all functions `test_*` of the files `*_test.php` in this folder, or those whose name contains an argument. */
declare(strict_types=1);

error_reporting(E_ALL);
set_error_handler(function (int $level, string $text, string $file, int $line) {
    // A suppressed warning leaves only the bits of fatal errors.
    return error_reporting() & $level ? throw new ErrorException($text, 0, $level, $file, $line) : false;
});
require __DIR__ . '/../switchboard_testing.php';
require __DIR__ . '/support.php';
array_map(fn ($file) => require $file, glob(__DIR__ . '/*_test.php'));

try {
    Switchboard\Testing\Process::find();
} catch (Switchboard\Testing\ProgramError $error) {
    echo $error->getMessage(), "\n";
    exit(1);
}
$words = array_map('strtolower', array_slice($argv, 1)) ?: [''];
$tests = array_filter(get_defined_functions()['user'], fn ($name) => str_starts_with($name, 'test_'));
$tests = array_filter($tests, fn ($name) => array_filter($words, fn ($word) => str_contains($name, $word)) !== []);
$failed = 0;
foreach ($tests as $test) {
    try {
        $test();
        echo "$test ok\n";
    } catch (Skipped $skipped) {
        $failed += getenv('REQUIRE_ALL') === '1' ? 1 : 0;
        echo $test, getenv('REQUIRE_ALL') === '1' ? ' FAILED' : '', " skipped: {$skipped->getMessage()}\n";
    } catch (Throwable $error) {
        $failed++;
        echo "$test FAILED\n$error\n";
    }
}
echo count($tests), ' tests, ', $failed, " failed\n";
exit($failed || !$tests ? 1 : 0);
