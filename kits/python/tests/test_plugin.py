from __future__ import annotations

SECTION = "journal of the world"


def test_a_failed_test_shows_the_journal_of_its_world(pytester):
    pytester.makepyfile(
        """
        def test_fails(world):
            world.customer("bo").says("Have you any tulips?")
            assert False

        def test_passes(world):
            world.customer("bo").says("Have you any roses?")
        """
    )
    done = pytester.runpytest_inprocess()
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines([f"*{SECTION}*", "<World * 'test_fails' at http://127.0.0.1:*>", "*tulips*"])
    assert done.stdout.str().count(SECTION) == 1
    done.stdout.no_fnmatch_line("*roses*")


def test_a_failed_fixture_shows_the_journal_too(pytester):
    pytester.makepyfile(
        """
        import pytest

        @pytest.fixture
        def bot(world):
            world.customer("bo").says("Have you any tulips?")
            raise RuntimeError("no bot")

        def test_never_runs(bot):
            pass
        """
    )
    done = pytester.runpytest_inprocess()
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines([f"*{SECTION}*", "*tulips*"])


def test_a_failed_test_without_a_world_has_no_such_section(pytester):
    pytester.makepyfile("def test_fails(): assert False")
    done = pytester.runpytest_inprocess()
    done.assert_outcomes(failed=1)
    done.stdout.no_fnmatch_line(f"*{SECTION}*")


def test_the_journal_of_a_world_that_ended_is_shown(pytester):
    pytester.makepyfile(
        """
        def test_fails(world):
            world.delete()
            assert False
        """
    )
    done = pytester.runpytest_inprocess()
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines([f"*{SECTION}*", "*makes the world*"])


def test_a_journal_that_cannot_be_read_says_why(pytester):
    pytester.makepyfile(
        """
        from switchboard_testing.errors import SwitchboardError

        def test_fails(world):
            def unreadable():
                raise SwitchboardError("nobody answers")

            world.journal_text = unreadable
            assert False
        """
    )
    done = pytester.runpytest_inprocess()
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines([f"*{SECTION}*", "The journal cannot be read: nobody answers"])


def test_a_long_journal_shows_its_end(pytester):
    pytester.makepyfile(
        """
        from switchboard_testing import pytest_plugin

        def test_fails(world, monkeypatch):
            pytest_plugin.LINES = 2
            for number in range(5):
                world.customer("bo").says(f"text {number}.")
            assert False
        """
    )
    done = pytester.runpytest_subprocess()
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["(* earlier lines are left out)", "*text 4.*"])
    done.stdout.no_fnmatch_line("*text 0.*")


def test_each_test_has_a_world_of_its_own_that_is_deleted_afterwards(pytester):
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.parametrize("text", ["Ü", "b c", "ü" * 150])
        def test_world(switchboard, world, text):
            assert [other["id"] for other in switchboard.worlds()] == [world.id]
            assert world.name.startswith("test_world[")
            world.customer("bo").says(text)
            assert [message.text for message in world.messages("bo")] == [text]

        def test_no_world(switchboard):
            assert switchboard.worlds() == []
        """
    )
    pytester.runpytest_inprocess().assert_outcomes(passed=4)


def test_the_marker_sets_how_the_world_opens(pytester):
    pytester.makepyfile(
        """
        import pytest

        pytestmark = pytest.mark.world(seed=5)

        @pytest.mark.world(clock="frozen", seed=7, ttl=60, name="mine")
        def test_own(world):
            assert (world.seed, world.name, world.clock().mode) == (7, "mine", "frozen")

        def test_of_the_module(world):
            assert (world.seed, world.name) == (5, "test_of_the_module")
        """
    )
    pytester.runpytest_inprocess("--strict-markers").assert_outcomes(passed=2)


def test_a_wrong_marker_is_an_error_with_the_reason(pytester):
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.world(clock="sundial")
        def test_never_runs(world):
            pass
        """
    )
    done = pytester.runpytest_inprocess()
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*ApiError: POST /dev/v1/worlds answered 400: *"])


def test_a_missing_program_is_an_error_that_says_what_to_do(pytester, monkeypatch):
    monkeypatch.setenv("SWITCHBOARD_BIN", "/nonexistent")
    pytester.makepyfile("def test_never_runs(world): pass")
    done = pytester.runpytest_inprocess()
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*ProgramNotFound: The variable SWITCHBOARD_BIN is '/nonexistent'*"])
