/** Starts the viewer. It is a file of its own, because the page's policy forbids inline scripts. */
declare const Scalar: { createApiReference(place: Element, configuration: unknown): void };

const place = document.getElementById("reference");
if (place !== null) Scalar.createApiReference(place, JSON.parse(place.dataset["configuration"] ?? ""));
