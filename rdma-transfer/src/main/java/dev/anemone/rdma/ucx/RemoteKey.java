// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.RemoteRegion;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpRemoteKey;

/**
 * Memory of a connection's peer, as its owner granted it. Lives until the owner wants it back or
 * the connection ends. On the loop's thread only.
 */
final class RemoteKey {

  /** How far it is. */
  enum State {
    /** Asked for. */
    OPENING,
    GRANTED,
    /** The owner has no such memory. */
    DENIED,
    /** The owner wants it back. */
    REVOKED
  }

  private final RemoteRegion region;
  private State state = State.OPENING;
  private UcpRemoteKey ucx;
  private long address;
  private int inFlight;
  private int copiedRead;
  private int copiedWrite;
  private boolean probed;
  private boolean mapped;

  RemoteKey(RemoteRegion region) {
    this.region = region;
  }

  RemoteRegion region() {
    return region;
  }

  State state() {
    return state;
  }

  void grant(long where, UcpRemoteKey key) {
    state = State.GRANTED;
    address = where;
    ucx = key;
  }

  void deny() {
    state = State.DENIED;
  }

  void revoke() {
    state = State.REVOKED;
  }

  UcpRemoteKey ucx() {
    return ucx;
  }

  /** Where the memory begins in its owner's address space. */
  long address() {
    return address;
  }

  /**
   * A read of so many bytes has ended before UCX returned. No network can do that: the memory is
   * mapped in this process, and UCX has copied from it.
   */
  void readAtOnce(int length) {
    copiedRead = length;
    mapped = true;
  }

  /**
   * Whether UCX reads so many bytes by a copy. Only of the length that was read so last: which way
   * UCX takes depends on nothing else that differs between reads of one region.
   */
  boolean isReadByCopy(int length) {
    return length == copiedRead;
  }

  /**
   * A write of so many bytes has ended before UCX returned. It may have gone into a buffer of UCX's
   * for the network, so UCX is asked to read a byte, which says whether the memory is mapped.
   */
  void writtenAtOnce(int length, UcpEndpoint endpoint) {
    copiedWrite = length;
    if (!mapped && !probed) {
      probed = true;
      mapped = MappingProbe.readsAtOnce(endpoint, address, ucx);
    }
  }

  /** Whether UCX writes so many bytes by a copy to mapped memory. */
  boolean isWrittenByCopy(int length) {
    return mapped && length == copiedWrite;
  }

  void began() {
    inFlight++;
  }

  void ended() {
    inFlight--;
  }

  boolean isUnused() {
    return inFlight == 0;
  }

  /** Gives UCX's key free. No operation may be using it. */
  void close() {
    if (ucx != null) {
      ucx.close();
      ucx = null;
    }
  }
}
