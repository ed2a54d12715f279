// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import java.io.IOException;
import java.nio.ByteBuffer;

/** How the user's side of a connection gets to know of what happens on the loop's side. */
interface ConnectionEvents {

  /** The peer has answered. */
  void opened();

  /** A message came; its bytes are valid until this returns. */
  void message(ByteBuffer message);

  /** All is over; {@code cause} is null when one of the sides closed it. */
  void closed(IOException cause);
}
