"""A Secret Service of freedesktop.org, as small as a keychain can be: one collection, never locked, gone with its process."""
import hashlib
import hmac
import os
import subprocess

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

SECRETS = "/org/freedesktop/secrets"
COLLECTION = SECRETS + "/collection/login"
ROOT = "org.freedesktop.Secret."
PROPERTIES = "org.freedesktop.DBus.Properties"
NO_PROMPT = dbus.ObjectPath("/")
PRIME = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD"
    "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
    "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE65381FFFFFFFFFFFFFFFF", 16)
items = {}
keys = {}


def aes(way, session, iv, text):
    """Secrets cross the bus under a key of the session, as the specification has it."""
    argv = ["openssl", "enc", way, "-aes-128-cbc", "-K", keys[session].hex(), "-iv", bytes(iv).hex()]
    return subprocess.run(argv, input=bytes(text), capture_output=True, check=True).stdout


def opened(secret):
    session, iv, text, kind = secret
    return aes("-d", session, iv, text)


class Thing(dbus.service.Object):
    def __init__(self, bus, path, interface, properties):
        super().__init__(bus, path)
        self.interface = interface
        self.properties = properties

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return self.properties()[name]

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return self.properties()


def found(attributes):
    fits = [path for path, item in items.items() if all(item.attributes.get(k) == v for k, v in attributes.items())]
    return dbus.Array([dbus.ObjectPath(path) for path in fits], signature="o")


class Item(Thing):
    def __init__(self, bus, path, attributes, secret):
        super().__init__(bus, path, ROOT + "Item", lambda: {
            "Attributes": dbus.Dictionary(self.attributes, signature="ss"),
            "Label": "remit", "Locked": False, "Created": dbus.UInt64(0), "Modified": dbus.UInt64(0)})
        self.path, self.attributes, self.secret = path, attributes, opened(secret)

    @dbus.service.method(ROOT + "Item", in_signature="o", out_signature="(oayays)")
    def GetSecret(self, session):
        iv = os.urandom(16)
        text = aes("-e", session, iv, self.secret)
        return dbus.Struct((session, dbus.ByteArray(iv), dbus.ByteArray(text), "text/plain"), signature="oayays")

    @dbus.service.method(ROOT + "Item", in_signature="(oayays)")
    def SetSecret(self, secret):
        self.secret = opened(secret)

    @dbus.service.method(ROOT + "Item", out_signature="o")
    def Delete(self):
        self.remove_from_connection()
        del items[self.path]
        return NO_PROMPT


class Collection(Thing):
    def __init__(self, bus):
        super().__init__(bus, COLLECTION, ROOT + "Collection", lambda: {
            "Items": found({}), "Label": "login", "Locked": False,
            "Created": dbus.UInt64(0), "Modified": dbus.UInt64(0)})
        self.bus = bus

    @dbus.service.method(ROOT + "Collection", in_signature="a{sv}(oayays)b", out_signature="oo")
    def CreateItem(self, properties, secret, replace):
        attributes = {str(k): str(v) for k, v in properties[ROOT + "Item.Attributes"].items()}
        path = f"{COLLECTION}/{len(items) + 1}"
        items[path] = Item(self.bus, path, attributes, secret)
        return dbus.ObjectPath(path), NO_PROMPT

    @dbus.service.method(ROOT + "Collection", in_signature="a{ss}", out_signature="ao")
    def SearchItems(self, attributes):
        return found(attributes)


class Service(Thing):
    def __init__(self, bus):
        super().__init__(bus, SECRETS, ROOT + "Service", lambda: {
            "Collections": dbus.Array([dbus.ObjectPath(COLLECTION)], signature="o")})

    @dbus.service.method(ROOT + "Service", in_signature="sv", out_signature="vo")
    def OpenSession(self, algorithm, given):
        if algorithm != "dh-ietf1024-sha256-aes128-cbc-pkcs7":
            raise dbus.exceptions.DBusException("no plain one", name="org.freedesktop.DBus.Error.NotSupported")
        own = int.from_bytes(os.urandom(64), "big")
        shared = pow(int.from_bytes(bytes(given), "big"), own, PRIME).to_bytes(128, "big")
        extracted = hmac.new(bytes(32), shared, hashlib.sha256).digest()
        session = dbus.ObjectPath(f"{SECRETS}/session/{len(keys) + 1}")
        keys[session] = hmac.new(extracted, b"\x01", hashlib.sha256).digest()[:16]
        return dbus.ByteArray(pow(2, own, PRIME).to_bytes(128, "big"), variant_level=1), session

    @dbus.service.method(ROOT + "Service", in_signature="a{ss}", out_signature="aoao")
    def SearchItems(self, attributes):
        return found(attributes), dbus.Array([], signature="o")

    @dbus.service.method(ROOT + "Service", in_signature="s", out_signature="o")
    def ReadAlias(self, name):
        return dbus.ObjectPath(COLLECTION)

    @dbus.service.method(ROOT + "Service", in_signature="ao", out_signature="aoo")
    def Unlock(self, paths):
        return paths, NO_PROMPT


DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
name = dbus.service.BusName("org.freedesktop.secrets", bus)
kept = [Service(bus), Collection(bus)]
print("ready", flush=True)
GLib.MainLoop().run()
