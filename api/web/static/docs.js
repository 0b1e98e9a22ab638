"use strict";

const viewer = document.getElementById("viewer");

SwaggerUIBundle({
  domNode: viewer,
  url: viewer.dataset.document,
  deepLinking: true,
  // By default the viewer sends the document's address to a validator on the network.
  validatorUrl: null,
});
