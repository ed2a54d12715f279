// SPDX-License-Identifier: Apache-2.0
/** The server of the page, and whom it answers. */
package dev.anemone.ui.server;
