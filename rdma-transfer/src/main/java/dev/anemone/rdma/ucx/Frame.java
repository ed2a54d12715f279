// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.RemoteRegion;
import java.nio.ByteBuffer;

/**
 * What goes over a connection as UCX active messages: users' messages and the transport's own. Each
 * has a header of {@value #HEADER_BYTES} bytes: the receiver's number of the connection (0 in
 * {@link Type#HELLO}, whose sender does not know it yet), its place in the order of sending, and
 * its type. Numbers are big-endian.
 */
final class Frame {

  static final int HEADER_BYTES = 8 + 8 + 4;

  /** Of a frame of the transport's own, header included: room for the keys of many devices. */
  static final int MAX_CONTROL_BYTES = 4096;

  /** A user's message, without the header. */
  static final int MAX_MESSAGE_BYTES = 32 * 1024;

  static final long MAGIC = 0x414e_454d_5543_5802L;

  /** Of HELLO's body. */
  static final int HELLO_BYTES = 8 + 8 + 8;

  /** Bytes of a region's capability. */
  static final int CAPABILITY_BYTES = 16;

  /** What a frame is, and its body. */
  enum Type {
    /** First of who connects: magic, number of the connection there, deadline in ms. */
    HELLO,
    /** The answer: magic, number of the connection there. */
    WELCOME,
    /** A user's message. */
    MESSAGE,
    /** Asks for a region: its length and capability. */
    OPEN,
    /** The region can be used: length and capability, address, UCX's key. */
    GRANT,
    /** There is no such region: length and capability. */
    DENY,
    /** The owner wants the region back: length and capability. */
    REVOKE,
    /** Nothing of this side's is under way in the region any longer: length and capability. */
    RETURN,
    /**
     * This side sends nothing more: 1 if nothing of its own is under way either, else 0. As the
     * answer to HELLO: nobody listens.
     */
    BYE;

    private static final Type[] ALL = values();

    /** The type of that number, or null when there is none. */
    static Type of(int number) {
      return number >= 0 && number < ALL.length ? ALL[number] : null;
    }
  }

  private Frame() {}

  static void putHeader(ByteBuffer frame, long receiver, long order, Type type) {
    frame.putLong(receiver).putLong(order).putInt(number(type));
  }

  @SuppressWarnings("EnumOrdinal") // both sides are of one version, which HELLO's magic has in it
  private static int number(Type type) {
    return type.ordinal();
  }

  static void putRegion(ByteBuffer frame, RemoteRegion region) {
    frame.putLong(region.length()).put(region.key());
  }

  /** Reads what {@link #putRegion} wrote. */
  static RemoteRegion getRegion(ByteBuffer frame) {
    long length = frame.getLong();
    ByteBuffer capability = frame.slice(frame.position(), CAPABILITY_BYTES);
    frame.position(frame.position() + CAPABILITY_BYTES);
    return new RemoteRegion(length, capability);
  }
}
