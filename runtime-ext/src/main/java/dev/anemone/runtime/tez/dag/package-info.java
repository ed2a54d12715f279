// SPDX-License-Identifier: Apache-2.0
/** From stages to a Tez DAG: vertices, edges, resources, hints, and what cannot be lowered. */
package dev.anemone.runtime.tez.dag;
