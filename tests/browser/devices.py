"""Browsers that a push service of the tests can reach.

Chromium subscribes only at a service of its maker, which tests cannot reach, and the headless shell
never allows notifications. So a device is told where the push service of the tests is, and what its
owner answers. The service worker and its push event are the browser's own.
"""

import json
from typing import Any

from playwright.sync_api import BrowserContext, Page

from tests.server.notices.receiving import Device, encoded

from .screens import Screens, until

SUBSCRIBE = """(() => {
    const made = %s
    const own = {
        endpoint: made.endpoint,
        toJSON: () => made,
        unsubscribe: async () => true,
    }
    Notification.requestPermission = async () => {
        window.asked = (window.asked ?? 0) + 1
        return %s
    }
    PushManager.prototype.subscribe = async function (options) {
        if (!options.userVisibleOnly || options.applicationServerKey.length !== 65)
            throw new DOMException('no key', 'InvalidAccessError')
        sessionStorage.setItem('subscribed', '1')
        return own
    }
    PushManager.prototype.getSubscription = async () =>
        sessionStorage.getItem('subscribed') ? own : null
})()"""
"""In a page: where its device is reached, and what its owner answers."""
WATCH = """() => {
    self.shown = []
    registration.showNotification = async (title, options) => {
        self.shown.push({ title, body: options.body, tag: options.tag, path: options.data.path })
    }
    navigator.setAppBadge = async (count) => { self.badge = count }
    clients.openWindow = async (url) => { self.opened = url }
}"""
"""In the worker: what it would show."""
CLICK = """(path) => new Promise((told) => {
    const notification = { close: () => { self.closed = true }, data: { path } }
    const click = Object.assign(new Event('notificationclick'), { notification })
    click.waitUntil = (work) => work.then(() => told('done'), (error) => told(error.name))
    self.dispatchEvent(click)
})"""
READY = "navigator.serviceWorker.ready.then((found) => Boolean(found.active))"


def phone(people: Screens, device: Device, answer: str = "granted", **likes: Any) -> BrowserContext:
    """A browser that the push service of the tests can reach."""
    context = people.context(installs=True, **likes)
    keys = {"p256dh": encoded(device.public), "auth": encoded(device.auth)}
    made = {"endpoint": device.service.url + device.path, "keys": keys}
    context.add_init_script(SUBSCRIBE % (json.dumps(made), json.dumps(answer)))
    return context


def deliver(page: Page, site: str, text: str) -> None:
    """Hands a message to the service worker as the browser does when one arrives."""
    devtools = page.context.new_cdp_session(page)
    found: list[str] = []

    def note(event: dict[str, Any]) -> None:
        found.extend(one["registrationId"] for one in event["registrations"])

    devtools.on("ServiceWorker.workerRegistrationUpdated", note)
    devtools.send("ServiceWorker.enable")
    until(page, lambda: bool(found), "no service worker")
    message = {"origin": site, "registrationId": found[-1], "data": text}
    devtools.send("ServiceWorker.deliverPushMessage", message)
