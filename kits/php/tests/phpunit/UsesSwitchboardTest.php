<?php
/** Tests for PHPUnit that trait_test.php runs. Those with `fails` in their names are meant to fail. */
declare(strict_types=1);

require_once __DIR__ . '/../../switchboard_testing.php';

use PHPUnit\Framework\TestCase;
use Switchboard\Testing\{ApiError, UsesSwitchboard, World};

final class UsesSwitchboardTest extends TestCase
{
    use UsesSwitchboard;

    private static ?World $before = null;

    public function test_an_answer_is_delivered(): void
    {
        $this->world()->customer('bo')->says('Is it in stock?');
        $this->world()->user('ada')->replies('Yes.', to: 'bo');
        self::assertCount(1, $this->world()->wait('callback.delivered')['entries']);
        self::$before = $this->world();
    }

    public function test_the_world_of_the_test_before_has_ended(): void
    {
        self::assertNotSame(self::$before->id, $this->world()->id);
        $this->expectException(ApiError::class);
        $this->expectExceptionCode(410);
        self::$before->messages('bo');
    }

    public function test_an_assertion_fails(): void
    {
        $this->world()->customer('bo')->says('Hi');
        self::assertSame([], $this->world()->messages('bo'));
    }

    public function test_a_wait_fails(): void
    {
        $this->world(clock: 'frozen')->customer('bo')->says('Hi');
        $this->world()->fault('callbacks', 'status', status: 500);
        $this->world()->user('ada')->replies('Words of Ada', to: 'bo');
        self::$before = $this->world();
        $this->world()->wait('callback.delivered');
    }

    public function test_the_world_of_the_failed_test_has_ended(): void
    {
        $this->expectException(ApiError::class);
        $this->expectExceptionCode(410);
        self::$before->messages('bo');
    }

    public function test_an_error_fails(): void
    {
        $this->world();
        throw new RuntimeException('an error of the test');
    }

    public function test_a_passed_exam(): void
    {
        $this->exam('false', only: [9, 28]);
    }

    public function test_an_exam_fails(): void
    {
        $this->exam('false', only: [9], strict: true);
    }

    public function test_without_a_world(): void
    {
        self::assertNull($this->switchboardWorld);
    }
}
