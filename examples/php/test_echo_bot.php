<?php
/** Tests of the echo bot: php test_echo_bot.php */
declare(strict_types=1);

require __DIR__ . '/../../kits/php/switchboard_testing.php';

use Switchboard\Testing\World;

function check(bool $holds, string $what): void
{
    $holds || throw new AssertionError("Expected: $what");
}

/** There is one echo of this text, and nothing else that Bo did not write. */
function check_one_echo(World $world, string $text): void
{
    $texts = array_column($world->messages('bo'), 'text');
    check($texts === ['Hi', $text, "echo: $text"], "one echo of \"$text\", found: " . json_encode($texts));
}

/** How often the bot posted a message. */
function posts(World $world): int
{
    $posts = array_filter($world->journal(), fn ($entry) => str_starts_with($entry['what'] ?? '', 'POST /v2/origin/custom/'));
    return count($posts);
}

$tests = [
    'a reply is echoed' => function (World $world) {
        $world->user('ada')->replies('Hello', to: 'bo');
        $world->wait('callback.delivered');
        check_one_echo($world, 'Hello');
    },
    'a callback that comes twice makes one echo' => function (World $world) {
        $world->fault('callbacks', 'duplicate');
        $world->user('ada')->replies('Hello', to: 'bo');
        $world->wait('request.seen', count: 2, match: 'POST /v2/origin/custom/');
        $world->wait('quiet');
        check_one_echo($world, 'Hello');
    },
    'a post whose answer is lost makes one echo' => function (World $world) {
        $world->fault('answers', 'lost_after_commit', match: 'POST /v2/origin/custom/');
        $world->user('ada')->replies('Hello', to: 'bo');
        $delivered = $world->wait('callback.delivered')['entries'][0];
        check($delivered['attempt'] === 1 && posts($world) === 2, 'two posts in the first attempt of the callback');
        check_one_echo($world, 'Hello');
    },
    'a reply is echoed once after the bot was down for an hour' => function (World $world) {
        $world->fault('callbacks', 'status', times: 1000, status: 503);
        $world->user('ada')->replies('Hello', to: 'bo');
        $world->advance(hours: 1);
        check(posts($world) === 0, 'no post while the bot is down');
        $world->endFaults();
        $world->wait('callback.delivered');
        check_one_echo($world, 'Hello');
    },
    'a callback with a wrong signature is refused and makes no echo' => function (World $world) {
        $world->fault('callbacks', 'bad_signature');
        $world->user('ada')->replies('Hello', to: 'bo');
        $outcome = $world->wait('callback.attempt')['entries'][0]['outcome'];
        check(str_starts_with($outcome, 'answered 403'), "the answer 403, found: $outcome");
        check(posts($world) === 0, 'no post');
    },
];

$failed = 0;
foreach ($tests as $name => $test) {
    $world = new World();
    try {
        $world->program([PHP_BINARY, __DIR__ . '/echo_bot.php'], path: '/callback');
        $world->customer('bo')->says('Hi');
        $test($world);
        echo "$name: ok\n";
    } catch (Throwable $error) {
        $failed = 1;
        echo "$name: FAILED\n$error\n{$world->journalText()}{$world->programOutput()}\n";
    } finally {
        $world->end();
    }
}
exit($failed);
