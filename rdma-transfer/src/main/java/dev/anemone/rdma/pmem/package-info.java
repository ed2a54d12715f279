// SPDX-License-Identifier: Apache-2.0
/**
 * Memory that survives a crash: files on a DAX file system, mapped, and made durable by flushing
 * cache lines; and the same interface, more slowly, on any other file system.
 */
package dev.anemone.rdma.pmem;
