"""Installing and uninstalling a program in an account, and what it remembers of both."""

import hashlib
import hmac
import os
import threading
import time

from bridge_service import DONE, Service, account_number
from bridge_store import Store, log, set_facts

DAY = 86_400


class Installation(Service):
    DATABASE = "bridge.sqlite"

    def __init__(self, environment):
        self.has_exam = bool(environment.get("SWITCHBOARD_EXAM_DIRECTORY"))
        directory = environment.get("SWITCHBOARD_EXAM_DIRECTORY") or environment.get("STATE_DIRECTORY") or "."
        super().__init__(environment, Store(os.path.join(directory, self.DATABASE)))
        self.is_installed = self.store.fact("is_installed") != "0"
        self.has_code = threading.Event()

    def begin(self, environment):
        """Begins to listen to new jobs, and to install: when the workers are there."""
        self.store.listener = lambda kind, lane, rank, number: self.workers[kind].add(lane, rank, number)
        self.store.run(lambda db: db.execute("DELETE FROM callbacks WHERE at < ?", (time.time() - 30 * DAY,)))
        code = environment.get("SWITCHBOARD_CODE")
        if code and code != self.store.fact("first_code"):
            self.store.run(lambda db: set_facts(db, first_code=code, code=code))
        threading.Thread(target=self.install_forever, daemon=True).start()

    def is_new(self, db, identity):
        return db.execute("INSERT OR IGNORE INTO callbacks VALUES (?, ?)", (identity, int(time.time()))).rowcount == 1

    def on_browser(self, query):
        """Returns the status and the text of the answer to a GET: the uninstall hook, or the browser with a code."""
        if "signature" in query:
            return self.on_uninstall(query)
        return self.on_code(query["code"]) if query.get("code") else (404, "")

    def on_code(self, code):
        self.store.run(lambda db: set_facts(db, code=code))
        self.has_code.set()
        return 200, "The program is installed in the account."

    def on_uninstall(self, query):
        account = query.get("account_id", "")
        if not self.is_uninstall_signed(account, query.get("signature", "")) or query.get("client_uuid") != self.client_id:
            return 403, ""
        if account == (account_number(self.tokens) or account):
            self.is_installed, self.tokens = False, {}
            self.store.run(lambda db: set_facts(db, is_installed="0", tokens="{}", exchanged_code=""))
            log("the account has uninstalled the program: nothing is sent until it is installed again")
        return 200, ""

    def is_uninstall_signed(self, account, signature):
        text = f"{self.client_id}|{account}".encode()
        right = hmac.new(self.client_secret.encode(), text, hashlib.sha256).hexdigest()
        return hmac.compare_digest(right.encode(), signature.encode())

    def install_forever(self):
        tries = 0
        while True:
            code = self.store.fact("code")
            if not code:
                tries = 0
                self.has_code.wait()
                self.has_code.clear()
                continue
            try:
                self.install(code)
                tries = 0
            except Exception as why:
                log(f"the code is exchanged later: {why}")
                time.sleep(self.backoff(tries))
                tries += 1

    def install(self, code):
        """Exchanges the code, once."""
        if self.store.fact("exchanged_code") != code:
            answer = self.request_tokens(grant_type="authorization_code", code=code, redirect_uri=self.redirect_uri)
            if self.verdict(answer) != DONE:
                log(f"the account side has no tokens: the service refuses the code. {answer}")
                self.store.run(lambda db: set_facts(db, code=""))
                return time.sleep(1)  # Strangers with codes must not use up the requests.
            self.keep_tokens(answer.json(), code)
        self.after_install()
        self.is_installed = True
        self.store.run(lambda db: set_facts(db, is_installed="1", code=""))

    def after_install(self):
        """Does what else an installation needs. Raises `Lost` if it has to be tried again."""

    def read_body(self, stream, length):
        """Reads on until the body is whole. Each read may take as long as `Requests.timeout` says."""
        return stream.read(length)
