// SPDX-License-Identifier: Apache-2.0
/**
 * The remote memory pool: objects that live in the memory of several servers, read and written
 * one-sidedly. What server and client share of its vocabulary. The pool is that of Crail (Stuedi et
 * al., 2017) and of the distributed memory objects of JD and MemVerge: metadata by messages, data
 * by RDMA on pages of one size.
 */
package dev.anemone.rdma.pool;
