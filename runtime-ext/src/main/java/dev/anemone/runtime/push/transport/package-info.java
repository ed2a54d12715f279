// SPDX-License-Identifier: Apache-2.0
/** Pushes by a transport of one-sided operations: receivers read the senders' pages. */
package dev.anemone.runtime.push.transport;
