// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

/**
 * Opens a {@link Transport}, where this machine can. Found by {@link java.util.ServiceLoader}. Made
 * without loading anything native.
 */
public interface TransportProvider {

  /** The transport's name, as users write it. */
  String name();

  /** Which one is taken when several work: the highest. */
  int preference();

  /**
   * Opens the transport.
   *
   * @throws TransportUnavailableException when this machine lacks what it needs, with a sentence
   *     that says what, and how to get it
   */
  Transport open() throws TransportUnavailableException;
}
