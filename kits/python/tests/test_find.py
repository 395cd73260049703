from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from switchboard_testing import ProgramNotFound, find


def program(folder: Path) -> Path:
    folder.mkdir()
    path = folder / "switchboard"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SWITCHBOARD_BIN", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.setattr(find, "INSIDE", tmp_path / "package" / "switchboard")


@pytest.mark.usefixtures("nowhere")
def test_the_variable_comes_before_the_package_and_the_package_before_path(monkeypatch, tmp_path):
    in_path = program(tmp_path / "path")
    monkeypatch.setenv("PATH", str(in_path.parent))
    assert find.find_program() == in_path
    inside = program(tmp_path / "package")
    assert find.find_program() == inside
    named = program(tmp_path / "named")
    monkeypatch.setenv("SWITCHBOARD_BIN", str(named))
    assert find.find_program() == named


@pytest.mark.usefixtures("nowhere")
def test_a_relative_variable_is_found_from_another_directory(monkeypatch, tmp_path):
    named = program(tmp_path / "named")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SWITCHBOARD_BIN", "named/switchboard")
    assert find.find_program() == named


@pytest.mark.usefixtures("nowhere")
def test_an_error_names_every_place_and_the_variable(monkeypatch, tmp_path):
    with pytest.raises(ProgramNotFound) as caught:
        find.find_program()
    text = str(caught.value)
    assert "set SWITCHBOARD_BIN to its path" in text
    assert str(tmp_path / "package" / "switchboard") in text
    assert str(tmp_path / "empty") in text


@pytest.mark.usefixtures("nowhere")
@pytest.mark.parametrize("spoil", [Path.unlink, lambda path: path.chmod(0o644)], ids=["missing", "not executable"])
def test_a_wrong_variable_is_an_error_even_if_path_has_the_program(monkeypatch, tmp_path, spoil):
    monkeypatch.setenv("PATH", str(program(tmp_path / "path").parent))
    assert shutil.which("switchboard")
    named = program(tmp_path / "named")
    spoil(named)
    monkeypatch.setenv("SWITCHBOARD_BIN", str(named))
    with pytest.raises(ProgramNotFound, match="not an executable file") as caught:
        find.find_program()
    assert str(named) in str(caught.value)
