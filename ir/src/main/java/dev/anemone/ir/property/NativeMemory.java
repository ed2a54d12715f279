// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

/**
 * Memory that a task of the vertex takes while the vertex runs in it, outside of the heap and of
 * what the engine has for the data between stages: that of a library of native code, for example.
 * An engine that gives each task a container of limited memory sets so much aside in it.
 *
 * @param bytes of one task, at least 1
 */
public record NativeMemory(long bytes) implements VertexProperty {

  public NativeMemory {
    if (bytes < 1) {
      throw new IllegalArgumentException("native memory is a byte at least, was " + bytes);
    }
  }
}
