// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

/** What the pages of a storage tier are made of. */
public enum TierKind {
  /** Memory of the server's process. */
  DRAM,
  /** A file on a DAX file system, mapped: persistent memory, or memory on CXL. */
  PMEM,
  /** A file on any file system: a local NVMe drive behind the page cache. */
  FILE
}
