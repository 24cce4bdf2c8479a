"""The walk with the generated Python client, as mypy accepts it. Prints a line for each step."""

import sys
import time
import uuid

from order_inventory_warehouse_client.api.events import list_events
from order_inventory_warehouse_client.api.orders import cancel_order, create_orders, list_orders
from order_inventory_warehouse_client.api.products import create_products, get_product
from order_inventory_warehouse_client.api.stock import list_stock
from order_inventory_warehouse_client.api.wms import wms_get_correction, wms_ping
from order_inventory_warehouse_client.connect import oms_client, wms_client
from order_inventory_warehouse_client.models import (
    CancelOrderResponse200,
    CreateOrdersBody,
    CreateOrdersResponse200,
    CreateProductsBody,
    CreateProductsResponse200,
    Failure,
    ListEventsResponse200,
    ListOrdersResponse200,
    ListStockResponse200,
    OrderEvent,
    WmsPingResponse200,
)

url, run = sys.argv[1], uuid.uuid4().hex[:8]
oms = oms_client(url, account_id=100, key="demo-oms-key-100")
wms = wms_client(url, user_name="manager", key="demo-master-key")

pinged = wms_ping.sync(client=wms)
assert isinstance(pinged, WmsPingResponse200), pinged
print(pinged.data.result)

sizes = {"width": 8, "length": 8, "height": 16, "weight": 3.5, "cost": 11.2, "retail": 24.9}
product = {"sku": f"PY-{run}", "description": "Desk lamp", **sizes}
made = create_products.sync(client=oms, body=CreateProductsBody.from_dict({"data": [product]}))
assert isinstance(made, CreateProductsResponse200), made
print("product", made.data[0].sku == product["sku"])

order = {
    "order_number": f"PY-{run}",
    "shipping_method": "GROUND",
    "customer": {
        "firstname": "Grace",
        "address1": "2 Sample Street",
        "city": "Springfield",
        "state": "IL",
        "zip": "62701",
        "country": "US",
    },
    "items": [{"sku": product["sku"], "quantity": 2}],
}
body = CreateOrdersBody.from_dict({"data": [order]})
placed = create_orders.sync(client=oms, body=body, idempotency_key=run)
repeated = create_orders.sync(client=oms, body=body, idempotency_key=run)
assert isinstance(placed, CreateOrdersResponse200), placed
assert isinstance(repeated, CreateOrdersResponse200), repeated
order_id: int = placed.data[0].order_id
print("order", placed.data[0].status, repeated.data[0].order_id == order_id, placed.data[0].created_at.tzinfo)

stock = list_stock.sync(client=oms, sku=f"PY-{run}")
assert isinstance(stock, ListStockResponse200), stock
print("stock", [entry.available for entry in stock.data])

found = list_orders.sync(client=oms, order_number=f"PY-{run}")
assert isinstance(found, ListOrdersResponse200), found
print("list", found.metadata.total_records)

deadline = time.monotonic() + 30
while True:
    feed = list_events.sync(client=oms, subject=f"order:{order_id}", wait=20)
    assert isinstance(feed, ListEventsResponse200), feed
    if feed.data or time.monotonic() > deadline:
        break
for event in feed.data:
    assert isinstance(event, OrderEvent)
    print("event", event.type_.value)

refused = wms_get_correction.sync(client=wms, correction_id=999999)
assert isinstance(refused, Failure), refused
print("failure", refused.response.message)

try:
    get_product.sync(client=oms, prod_identifier="A?B")
except ValueError as error:
    print("path", error)
