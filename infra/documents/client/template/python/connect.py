"""Clients with the credentials of each area. Calls are in the package `api`, bodies and answers in `models`."""

from collections.abc import Generator

import httpx

from .client import AuthenticatedClient

# A call that waits for events may take 20 seconds.
_TIMEOUT = httpx.Timeout(30)


class _PathsAsNamed(httpx.Auth):
    """Refuses path parameters with `/` or `?`: API Gateway decodes them, and finds another record or none."""

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        path = request.url.raw_path.split(b"?")[0].lower()
        if b"%2f" in path or b"%3f" in path:
            raise ValueError("a path parameter can't hold / or ?; use a filter of the list to find the record")
        yield request


def oms_client(url: str, account_id: int, key: str) -> AuthenticatedClient:
    """The OMS, in the name of an account: `/apirest/v4/oms`. `url` has no path."""
    return _client(url, "Key", key, {"AccountID": str(account_id)})


def wms_client(url: str, user_name: str, key: str) -> AuthenticatedClient:
    """The WMS, in the name of a user of the warehouse, with the warehouse's master key: `/apirest/v4/wms`."""
    return _client(url, "Key", key, {"userName": user_name})


def v2_client(url: str, account_id: int, key: str) -> AuthenticatedClient:
    """v2 and Pro, in the name of an account: `/apiv2`."""
    return _client(url, "Authorization", key, {"AccountID": str(account_id)})


def _client(url: str, key_header: str, key: str, headers: dict[str, str]) -> AuthenticatedClient:
    return AuthenticatedClient(
        base_url=url.rstrip("/"),
        token=key,
        prefix="",
        auth_header_name=key_header,
        headers=headers,
        timeout=_TIMEOUT,
        httpx_args={"auth": _PathsAsNamed()},
    )
