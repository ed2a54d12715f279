// SPDX-License-Identifier: Apache-2.0
/**
 * What senders and receivers say to each other on every wire: addresses, greetings, replies,
 * refusals.
 */
package dev.anemone.runtime.push.protocol;
