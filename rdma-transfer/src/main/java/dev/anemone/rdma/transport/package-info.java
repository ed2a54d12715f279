// SPDX-License-Identifier: Apache-2.0
/**
 * Moving bytes between the registered memory of two processes: one-sided reads and writes, and
 * small messages. One SPI, and a transport for each kind of network below it.
 */
package dev.anemone.rdma.transport;
