// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

/**
 * The name of an object or of a directory: absolute, such as {@code /job/stage/block}.
 *
 * @param value {@code /}, or names that each have a slash before them
 */
public record PoolPath(String value) {

  /** Characters that a path can have. */
  public static final int MAX_LENGTH = 1_000;

  /** The directory that is always there. */
  public static final PoolPath ROOT = new PoolPath("/");

  /**
   * Checks the text.
   *
   * @throws IllegalArgumentException with a sentence that says what is wrong
   */
  public PoolPath {
    boolean right = value.equals("/") || (value.startsWith("/") && !value.endsWith("/"));
    if (!right || value.contains("//") || value.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "'"
              + value
              + "' is no path in the pool. Give names with a slash before each, such as"
              + " /job/stage/block, of no more than "
              + MAX_LENGTH
              + " characters.");
    }
  }

  /** A path. */
  public static PoolPath of(String value) {
    return new PoolPath(value);
  }

  /** Whether it is the root. */
  public boolean isRoot() {
    return value.equals("/");
  }

  /**
   * The directory that it lies in.
   *
   * @throws IllegalStateException for the root
   */
  public PoolPath parent() {
    if (isRoot()) {
      throw new IllegalStateException("the root lies in no directory");
    }
    int slash = value.lastIndexOf('/');
    return slash == 0 ? ROOT : new PoolPath(value.substring(0, slash));
  }

  /** The last name; empty for the root. */
  public String name() {
    return value.substring(value.lastIndexOf('/') + 1);
  }

  /** The path of a name in this directory. */
  public PoolPath child(String name) {
    return new PoolPath(isRoot() ? "/" + name : value + "/" + name);
  }

  @Override
  public String toString() {
    return value;
  }
}
