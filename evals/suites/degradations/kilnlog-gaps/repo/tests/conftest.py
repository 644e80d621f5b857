from pathlib import Path

import pytest

from kilnlog import read_log

DATA = Path(__file__).parent / "data"


@pytest.fixture
def bisque_path():
    return DATA / "bisque.log"


@pytest.fixture
def bisque(bisque_path):
    with open(bisque_path, encoding="utf-8") as file:
        return read_log(file)
