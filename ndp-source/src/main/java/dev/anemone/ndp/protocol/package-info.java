// SPDX-License-Identifier: Apache-2.0
/**
 * What the storage side and its clients say to each other over HTTP: plans as JSON, answers as
 * frames of Arrow's stream with a last frame that says what should have arrived.
 */
package dev.anemone.ndp.protocol;
