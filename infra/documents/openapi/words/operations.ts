/** What each call does, by operation: what its summary leaves open. */

const credentials = "Returns `pong` if the credentials are valid, and changes nothing.";

const lookUp = "A job can be looked up for 90 days after it has finished.";

export const operations: Readonly<Record<string, string>> = {
  ping: credentials,
  createOrders:
    "Creates 1 to 100 orders, all of them or none. Each item names a SKU, an alias of the order's channel, or a synset, which its components replace. The units are reserved at once. Ordering more than is available is a backorder: `available` goes below zero. With `if_short` of `refuse`, it is 409. An item that names a `hold_id` takes the units of that hold.",
  listOrders:
    "Lists the account's orders, newest first. Filters combine, and totals are exact. `history` is only in the response with one order.",
  updateOrders:
    "Replaces Pending orders, all of them or none. An order is found by `order_id`, else by `order_number`, else by `order_reference`. Optional fields that are not sent become empty. What an earlier GET returned can be sent back, and changes nothing.",
  getOrder:
    "Finds the order by `order_id`, or by what `identify_by` says; the newest of several with one reference. `history` lists who changed what and when.",
  cancelOrder:
    "Cancels a Pending order. An order that is Cancelled already is returned as it is; a Processing or Shipped one is 400.",
  cancelOrders: "Cancels 1 to 100 Pending orders, all of them or none. A repeated id counts once.",
  setSubStatus:
    "Sets a text about the state of an order that is not Cancelled. It never changes the order's status.",
  simulateOrder:
    "Simulates the warehouse for an order of a sandbox account: `picked` claims it and picks it whole; `shipped` also weighs and approves it; `returned` also announces a return of all lines and puts it away. The flows and events are the real ones. A call that was cut off can be sent again: it goes on from where the order stands.",
  createProducts: "Creates 1 to 100 products, all of them or none. A SKU is unique in the account.",
  patchProducts:
    "Changes only the fields that are sent; null clears an optional field. An unknown SKU is 404, and nothing is changed.",
  listProducts: "Lists the account's products, newest first.",
  getProduct: "Finds the product by id, else by SKU. `identify_by` says which of them is meant.",
  listUnitsOfMeasure: "Returns `EACH` and, if the product has a `case_qty`, `CASE` with the units it holds.",
  createReplenishments:
    "Announces deliveries of goods. Until they are put away, their units are `incoming` in the stock.",
  listReplenishments: "Lists the account's replenishments, newest first.",
  patchReplenishments:
    "Changes only the fields that are sent; `items` replaces the list of items. Units that are put away already can't be announced away.",
  getReplenishment: "Returns a replenishment with what was put away of each item.",
  createReturns:
    "Announces that units of Shipped orders come back: at most what was shipped and is not announced yet. An item is named by SKU, or as it was ordered.",
  listReturns: "Lists the account's returns, newest first.",
  getReturn: "Returns a return with what was put away of each item.",
  listStock:
    "Returns how many units of each product are on hand, reserved, available and incoming in each distribution center. Asked for by name, kits are returned, too: as many as can be built.",
  listMovements:
    "Lists every change of the product's stock, newest first: how much, why, by whom and for which record. Added up, they are the stock.",
  createHolds:
    "Holds units for 30 seconds to a day, all holds of a call or none: 409 if one is not available. An order takes the units by `hold_id` of its item. A hold of a synset holds its components.",
  listHolds: "Lists the account's holds that have not ended, newest first.",
  getHold: "Returns a hold. One that has ended, or that orders have taken, is 404.",
  deleteHold: "Ends a hold. Its units are available at once.",
  listDistributionCenters: "Returns all distribution centers, unless `page` or `per_page` is sent.",
  getDistributionCenter: "Returns the code and name that a distribution center has.",
  listShippingMethods:
    "Returns the codes that an order's `shipping_method` can have: all of them, unless `page` or `per_page` is sent.",
  listStores:
    "Returns the stores that an order's `cart` and an alias's `channel_id` can name: all of them, unless `page` or `per_page` is sent.",
  listSuppliers:
    "Returns the names that a product's `supplier` can have: all of them, unless `page` or `per_page` is sent.",
  listPackageTypes:
    "Returns the codes that a product's `package_type` can have: all of them, unless `page` or `per_page` is sent.",
  listManufactureOrders: "Lists the account's manufacture orders, which operators create.",
  getManufactureOrder: "Returns a manufacture order.",
  createSerials:
    "Registers serial numbers, unique in their product: at most 100 for each record and 2,000 in a call. Picks of the product then name the serials that they take.",
  setSerialAttributes:
    "Gives attributes to the serials that exist from `serial_start` to `serial_end`, both included: at most 1,000. Later batches win, by name of the attribute.",
  listSerials: "Lists the serials of a product by length, then by text.",
  getSerial: "Returns a serial number and its attributes.",
  listAttributes:
    "Lists the attributes of an order, product, replenishment, return, manufacture order or distribution center.",
  createAttributes: "Adds attributes. A name that the owner has already is 400: change it by PATCH.",
  patchAttributes: "Changes values. A name that the owner does not have is 404.",
  deleteAttribute: "Deletes one attribute. A name that the owner does not have is 404.",
  createSynsets:
    "Creates kits of 1 to 100 components each. A kit has no stock of its own: an order of it reserves the components.",
  patchSynsets: "Replaces the components of kits. Orders that exist keep what they reserved.",
  listSynsets: "Lists the account's kits. `available` is how many can be built now.",
  getSynset:
    "Returns a kit. `available` is how many can be built now, and `limited_by` the component that runs out first.",
  createAliases:
    "Gives products the names that channels use. Orders of a channel can then name the alias in place of the SKU. Without `channel_id`, an alias holds on every channel.",
  patchAliases: "Changes only the fields that are sent.",
  listAliases: "Lists the account's aliases. Filters combine.",
  getAlias:
    "Finds the alias by id, else by text. `identify_by` says which of them is meant; `channel_id` selects one of several with the same text.",
  listEvents:
    "Reads the feed: every change to the account's records as an event with a number, `sequence`. Keep `feed.next_after`, and send it as `after` in the next call. Events are kept for 30 days.",
  createWebhook:
    "Registers a receiver, at most 20 in an account. The response's `secret` is shown once; verify the signature of each request with it.",
  listWebhooks: "Lists webhooks by id, without their secrets.",
  getWebhook: "Returns a webhook without its secret. `failing_since` and `disabled_reason` tell its state.",
  patchWebhook:
    "Changes only the fields that are sent. `active: true` switches the webhook on again; it continues where it stopped.",
  deleteWebhook: "Deletes a webhook. Events that wait for it are not sent.",
  rotateSecret:
    "Returns a new secret. For 24 hours requests are signed with both, so the receiver can change over without losing any.",
  testWebhook: "Sends a `webhook.test` to the receiver. If it is accepted, waiting events are sent at once.",
  replayEvents:
    "Sends all events after a sequence again, for example after the receiver lost data. The receiver sees the same `webhook-id` as before.",
  listDeliveries:
    "Shows each event's attempts, with the status and the first KB of the receiver's response. Send `next_before` as `before` to continue.",
  resendDelivery: "Sends the event of one delivery again, as a new delivery.",
  wmsPing: credentials,
  wmsRecount: `Corrects bins by a count (\`qty_in_bin\`) or by a difference (\`qty\`), at most 100 in a call. It takes effect at once for later recounts: \`new_quantity\` is what the bin will hold. The stock follows a moment later, when the job is applied. ${lookUp}`,
  wmsGetCorrection: `Returns whether a correction is \`queued\`, \`applied\` or \`failed\`, and why. ${lookUp}`,
  wmsGetJob: `Returns whether a job is \`queued\`, \`applied\` or \`failed\`, and why. A \`correction_id\` is a \`job_id\`, too. ${lookUp}`,
  wmsListProductBins: "Returns each bin that holds units of the product, and how many.",
  wmsListLocations: "Returns all locations with their bins, unless `page` or `per_page` is sent.",
  wmsUpdateWeight: `Queues a job for each order that sets its weight. The latest accepted weight holds. ${lookUp}`,
  wmsRevertShipments: `Queues a job for each Processing order that brings it back to Pending: what was picked returns to the bins that it came from. ${lookUp}`,
  v2Ping: credentials,
  v2GetOrders: "The same as `GET /apirest/v4/oms/orders`, with its query parameters in the body.",
  v2AddOrders: "The same as `POST /apirest/v4/oms/orders`.",
  v2CancelOrder: "The same as `POST /apirest/v4/oms/orders/cancel`.",
  v2GetProducts:
    "The same as `GET /apirest/v4/oms/inventory/products`, with its query parameters in the body.",
  v2GetStock: "The same as `GET /apirest/v4/oms/inventory/stock`, with its query parameters in the body.",
  mobileLogin:
    "The first of two steps: returns a `login_id` that waits 5 minutes for the code. After five failures in 15 minutes, sign-in is 429.",
  mobileVerifyCode:
    "The second step: returns the `jwt`, `token` and `user_id` that all mobile calls send. A code works once, and a session lasts 12 hours on its device.",
  mobileLogout: "Ends the session at once. Its credentials are 401 from then on.",
  mobileGetOrdersToPick:
    "Returns the picker's open orders first. The oldest Pending ones that follow become Processing and the picker's. `bins` says where to take what remains.",
  mobileCheckShippings:
    "Without `order_id`, lists the completely picked shipments. With `order_id` and `approve: true`, ships that order: its units leave the stock.",
  mobileUpdatePickLog:
    "Takes units out of bins, for the order's own picker: no more than was ordered, and no more than the bin holds. For products with serials, the serials are named.",
  mobileMoveGoods: "Moves units of a product at once. The stock stays the same.",
  proInventoryList: "Returns the units of each product in each bin, by SKU if one is sent.",
  proPutAwayLoad:
    "Returns each item with the units that are put away and that remain. Send `replenishment_id` or `return_id`.",
  proPutAwayMove:
    "Puts units into a bin, which adds them to the stock. More than remains is 400. When nothing remains, the replenishment or return is Received.",
};
