// SPDX-License-Identifier: Apache-2.0
/**
 * The pool of remote memory of an application on a cluster: how its containers find the pool, and
 * whose lease their blocks go with.
 */
package dev.anemone.runtime.tez.pool;
