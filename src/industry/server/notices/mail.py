"""Mail by SMTP, in a thread: one connection for each message."""

import asyncio
import re
import smtplib
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import Literal

MailTls = Literal["starttls", "tls", "off"]
ADDRESS = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}"
    r"@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
)
PATIENCE = 15.0
"""Seconds that a mail server may take for one answer."""


class MailGone(Exception):
    """The mailbox does not exist."""


class MailFailed(Exception):
    """The mail server did not take the message; it may later."""


@dataclass(frozen=True, slots=True)
class Mail:
    to: str
    subject: str
    text: str
    unsubscribe: str = ""
    """The address to which a POST request unsubscribes (RFC 8058); empty if there is none."""


@dataclass(frozen=True, slots=True)
class MailServer:
    """The operator's mail server; without a host there is no mail."""

    host: str = ""
    port: int = 587
    tls: MailTls = "starttls"
    user: str = ""
    password: str = ""
    sender: str = ""

    @property
    def is_on(self) -> bool:
        return bool(self.host and self.sender)

    async def send(self, mail: Mail, at: float) -> None:
        """Hands a mail to the server; `at` are the seconds since 1970. Raises `MailGone` or
        `MailFailed`.
        """
        await asyncio.to_thread(self._send, mail, at)

    def _send(self, mail: Mail, at: float) -> None:
        try:
            with self._connected() as line:
                line.send_message(self._message(mail, at))
        except smtplib.SMTPRecipientsRefused as refused:
            codes = [code for code, _ in refused.recipients.values()]
            if all(code in (550, 551, 553) for code in codes):
                raise MailGone from None
            raise MailFailed(f"{codes[0]}") from None
        except (smtplib.SMTPException, OSError) as error:
            raise MailFailed(type(error).__name__) from None

    def _connected(self) -> smtplib.SMTP:
        context = ssl.create_default_context()
        if self.tls == "tls":
            line: smtplib.SMTP = smtplib.SMTP_SSL(
                self.host, self.port, timeout=PATIENCE, context=context
            )
        else:
            line = smtplib.SMTP(self.host, self.port, timeout=PATIENCE)
        try:
            if self.tls == "starttls":
                line.starttls(context=context)
            if self.user:
                line.login(self.user, self.password)
        except BaseException:
            line.close()
            raise
        return line

    def _message(self, mail: Mail, at: float) -> EmailMessage:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self.sender, mail.to, mail.subject
        message["Date"] = format_datetime(datetime.fromtimestamp(at, UTC))
        message["Message-ID"] = make_msgid(domain=self.sender.rpartition("@")[2].rstrip(">"))
        message["Auto-Submitted"] = "auto-generated"
        if mail.unsubscribe:
            message["List-Unsubscribe"] = f"<{mail.unsubscribe}>"
        if mail.unsubscribe.startswith("https:"):  # RFC 8058 allows nothing else
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content(mail.text)
        return message


def is_mail_address(text: str) -> bool:
    """Checks whether mail can be sent to this address as it is written."""
    return len(text) <= 254 and bool(ADDRESS.fullmatch(text)) and ".." not in text
