// SPDX-License-Identifier: Apache-2.0
/** Where blocks lie between the stages: files, memory. */
package dev.anemone.runtime.store;
