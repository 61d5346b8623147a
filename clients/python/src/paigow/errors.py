"""What can go wrong, each with a type of its own."""


class PaigowError(Exception):
    """The base of every error of this package."""


class Refused(PaigowError):
    """The engine refuses a call.

    ``reason`` is the machine-readable reason (``ErrorInfo.reason``), ``metadata`` its values,
    ``fields`` the faulty fields as ``(path, description)``, ``retry_after`` the seconds to wait
    where the engine says so. Another call with the same request is refused again, unless the
    reason says that something outside the request has to change.
    """

    def __init__(self, code, reason, message, fields=(), metadata=None, retry_after=None):
        self.code, self.reason, self.fields = code, reason, list(fields)
        self.metadata, self.retry_after = dict(metadata or {}), retry_after
        listed = "".join(f"\n  {path}: {what}" for path, what in self.fields)
        super().__init__(f"{code.name} {reason}: {message}{listed}")


class NoAnswer(PaigowError):
    """No replica has answered in time. The call may have been carried out: repeat the step."""


class WrongStep(PaigowError):
    """The round is not at this step."""


class BadSignature(PaigowError):
    """The key of the seat has not made this signature."""


class NotVerified(PaigowError):
    """A settlement is not what ticket, locks and cards make of it. Do not pay it.

    ``records`` are those of the round, with the settlement: keep them.
    """

    def __init__(self, message, records=()):
        self.records = list(records)
        super().__init__(message)


class BeaconUnavailable(PaigowError):
    """The source has no signature of the beacon's round yet, or a wrong one. The wagers are locked: call ``deal`` again, or
    void the round."""


class LedgerError(PaigowError):
    """The ledger does not sign."""


class TooLate(LedgerError):
    """The beacon has published its round, and no wagers are locked: the ledger signs none any more. Void the round."""


class NotTheRecord(LedgerError):
    """The bytes to sign are not the record that was asked for."""


class SignedOtherwise(LedgerError):
    """The round has another lock already, which excludes the one that was asked for. Nothing was signed.

    ``locked`` is the content of the other lock. If it locks the same step, call the step without content to
    go on with it. If it locks the other step over the same record, the message says what to call.
    """

    def __init__(self, message, locked):
        self.locked = locked
        super().__init__(message)


class LedgerUnavailable(LedgerError):
    """The database of the ledger cannot be used. Nothing was signed."""


class Restored(LedgerError):
    """The database is older than the ledger's mark: it was restored, and may lack locks.

    The ledger cannot know what it has signed since. See ``LedgerStore.accept_restore``.
    """
