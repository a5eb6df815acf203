"""Random ids and session tokens; of a token only the hash is ever stored."""

from __future__ import annotations

import base64
import hashlib
import secrets

__all__ = ["new_id", "new_token", "token_hash"]


def new_id(kind: str) -> str:
    """A random id of 128 bits: ``u_`` and 26 small letters and digits."""
    return f"{kind}_{base64.b32encode(secrets.token_bytes(16)).decode().rstrip('=').lower()}"


def new_token() -> str:
    """A session token of 256 random bits."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> bytes:
    """The SHA-256 of a token: enough for 256 random bits, which nobody can try out."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
