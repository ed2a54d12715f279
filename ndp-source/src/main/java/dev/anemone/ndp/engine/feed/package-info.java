// SPDX-License-Identifier: Apache-2.0
/** Bytes that the engine reads while they come from elsewhere. */
package dev.anemone.ndp.engine.feed;
