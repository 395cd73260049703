"""Test an integration against Switchboard.

Each test gets a world: a whole Switchboard in memory with an address, a clock and faults of its own.
"""

from .errors import ApiError, ExamNotRun, NoAnswer, NotMet, ProgramNotFound, StartFailed, SwitchboardError
from .exam import ExamFailed, ExamReport, ExamRule
from .receiver import Hook, Received, Receiver
from .snapshot import Snapshot
from .switchboard import Switchboard
from .tested import Program
from .values import Account, Channel, Clock, Message, Met, OauthClient, Sent
from .world import Customer, User, World

__all__ = [
    "Account",
    "ApiError",
    "Channel",
    "Clock",
    "Customer",
    "ExamFailed",
    "ExamNotRun",
    "ExamReport",
    "ExamRule",
    "Hook",
    "Message",
    "Met",
    "NoAnswer",
    "NotMet",
    "OauthClient",
    "Program",
    "ProgramNotFound",
    "Received",
    "Receiver",
    "Sent",
    "Snapshot",
    "StartFailed",
    "Switchboard",
    "SwitchboardError",
    "User",
    "World",
]
