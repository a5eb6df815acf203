"""The family's table tells that somebody waits, the page being closed: turned on, and shown."""

import json

import pytest
from playwright.sync_api import expect

from page.conftest import Visit
from page.test_access import check
from page.visitors import Visitor
from server.live import Json
from server.push_service import Browser

_BROWSER = """({ endpoint, p256dh, auth }) => {
    const keys = { p256dh, auth };
    const device = {
        endpoint, toJSON: () => ({ endpoint, keys }), unsubscribe: async () => !(kept = null),
    };
    let kept = null;
    const pushManager = {
        getSubscription: async () => kept,
        subscribe: async (options) => {
            if (kept) throw new DOMException("of another key", "InvalidStateError");
            window.shownKey = btoa(String.fromCharCode(...options.applicationServerKey));
            return (kept = { ...device, options });
        },
    };
    const worker = { pushManager };
    const container = {
        ready: Promise.resolve(worker), getRegistration: async () => worker,
        register: async () => worker, addEventListener: () => undefined,
    };
    Object.defineProperty(navigator, "serviceWorker", { value: container });
    window.PushManager = class {};
    window.Notification = class {
        static permission = "default";
        static requestPermission = async () => (Notification.permission = "granted");
    };
}"""
"""A browser that can be told, whose maker's service is asked nothing."""


def _home(visitor: Visitor) -> str:
    """Make the visitor an account with a family table; the last part of its link."""
    account = {"name": visitor.name, "password": "uzun ve gizli 7"}
    post = visitor.context.request.post
    assert post(f"{visitor.url}/api/me/account", data=account).ok
    answer = post(f"{visitor.url}/api/families", data={"name": "Bizim Ev", "options": {}})
    return str(answer.json()["link"])


def _asked(visitor: Visitor, path: str) -> Json:
    found: Json = visitor.context.request.get(f"{visitor.url}/api/{path}").json()
    return found


def test_a_browser_is_told_once_its_owner_ticks_the_box(visit: Visit) -> None:
    visitor = visit("Haberli Nine", size=(390, 844), touch=True)
    link = _home(visitor)
    browser = Browser("nine", "fcm.googleapis.com")
    told = json.dumps(browser.body())
    visitor.page.add_init_script(f"({_BROWSER})({told})")
    visitor.go(f"/f/{link}")
    box = visitor.field("push-tell")
    expect(box).not_to_be_checked()
    assert visitor.page.evaluate("Notification.permission") == "default"  # nobody was asked
    box.click()
    expect(box).to_be_checked()
    here = _asked(visitor, "me/push")
    assert (here["endpoint"], here["quiet_from"]) == (browser.device.endpoint, 22)
    assert _asked(visitor, f"families/{link}")["told"]
    key = visitor.page.evaluate("shownKey")
    assert key.rstrip("=").replace("+", "-").replace("/", "_") == here["key"]
    assert not check(visitor, f"/f/{link}")
    visitor.field("push-quiet-from").select_option("23")
    expect(visitor.text("family-saved")).to_be_visible()
    assert _asked(visitor, "me/push")["quiet_from"] == 23
    box.click()
    expect(box).not_to_be_checked()
    assert _asked(visitor, "me/push")["endpoint"] is None
    assert not _asked(visitor, f"families/{link}")["told"]


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("delete window.PushManager", "push-none"),
        ("delete window.PushManager; navigator.standalone = false", "push-ios"),
        ("Object.defineProperty(Notification, 'permission', { value: 'denied' })", "push-denied"),
    ],
)
def test_where_it_cannot_be_the_page_says_why(visit: Visit, how: str, why: str) -> None:
    visitor = visit(f"Haberli {why[5:]}", language="en")
    link = _home(visitor)
    visitor.page.add_init_script(f"window.PushManager ??= class {{}}; {how}")
    visitor.go(f"/f/{link}")
    expect(visitor.text(why)).to_be_visible()
    expect(visitor.field("push-tell")).to_have_count(0)


_PUSHED = """(told) => {
    self.shown = new Promise((done) => {
        self.registration.showNotification = async (...shown) => done(shown);
    });
    self.dispatchEvent(new PushEvent("push", { data: told }));
    return self.shown;
}"""
_CLICKED = """(data) => {
    WindowClient.prototype.focus = async () => undefined;  // only a person may have it
    const notification = { data, close: () => undefined };
    const clicked = new ExtendableEvent("notificationclick");
    self.dispatchEvent(Object.assign(clicked, { notification }));
}"""


def test_the_worker_shows_who_waits_and_leads_to_the_table(visit: Visit) -> None:
    """What the browser has deciphered is given to the worker as its maker's service would."""
    visitor = visit("Haberli Kerem", worker=True)
    link = _home(visitor)
    visitor.go("/")
    visitor.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    visitor.until(lambda: visitor.page.evaluate("navigator.serviceWorker.controller !== null"))
    (worker,) = visitor.context.service_workers
    told = {"text": "Hatice sizi bekliyor", "language": "tr", "link": link}
    text, shown = worker.evaluate(_PUSHED, json.dumps(told).ljust(512))
    assert text == "Hatice sizi bekliyor"
    assert shown == {"lang": "tr", "tag": link, "icon": "/icon-192.png", "data": f"/f/{link}"}
    worker.evaluate(_CLICKED, shown["data"])
    visitor.page.wait_for_url(f"**/f/{link}")
