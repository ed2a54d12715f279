// SPDX-License-Identifier: Apache-2.0
/**
 * The transport that is always there: TCP. Reads and writes are one-sided for their users; at the
 * other end an event loop does them, straight between the socket and registered memory.
 */
package dev.anemone.rdma.tcp;
