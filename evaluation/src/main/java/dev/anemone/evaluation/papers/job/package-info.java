// SPDX-License-Identifier: Apache-2.0
/** Jobs in JVMs of their own, and what their event logs and the kernel tell of them. */
package dev.anemone.evaluation.papers.job;
