// SPDX-License-Identifier: Apache-2.0
/** Pushes by TCP, on Netty's event loops. */
package dev.anemone.runtime.push.netty;
