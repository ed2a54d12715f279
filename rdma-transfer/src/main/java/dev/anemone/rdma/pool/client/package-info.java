/** The client of the remote memory pool. */
package dev.anemone.rdma.pool.client;
