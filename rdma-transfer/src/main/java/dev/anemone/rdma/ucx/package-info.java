// SPDX-License-Identifier: Apache-2.0
/**
 * The transport on UCX (Shamis et al., "UCX: an open source framework for HPC network APIs and
 * beyond", HOTI 2015) by its Java binding: verbs, shared memory or TCP, whichever UCX finds best
 * ({@code UCX_TLS} and its other variables are the user's).
 *
 * <p>Transports of a process share one UCX worker, which one thread drives: operations, and where
 * no hardware does it (TCP, shared memory), the peers' reads and writes too. Users' threads hand it
 * their operations by a queue, or begin them in turns of their own.
 *
 * <p>UCX itself checks what a peer reads and writes only where hardware does. So a region's key is
 * a random capability, for which a connection asks the owner once; from then on the connection
 * keeps to the bounds. Who closes a region waits until every connection has given it back. That
 * guards against mistakes and stale keys. Frames reach a connection by a random number, and over
 * its own endpoint only, so that nobody speaks for others. Neither guards the memory against a peer
 * that does not keep to the protocol: over TCP and shared memory UCX lets whoever reaches the port
 * write into the process. Listen on networks that are trusted.
 */
package dev.anemone.rdma.ucx;
