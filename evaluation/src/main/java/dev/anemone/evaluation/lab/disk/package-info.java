// SPDX-License-Identifier: Apache-2.0
/** A disk that behaves like one with a moving head: throttled reads, and no cache before it. */
package dev.anemone.evaluation.lab.disk;
