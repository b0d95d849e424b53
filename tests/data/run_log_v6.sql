-- SPDX-License-Identifier: Apache-2.0
-- A run log of format 6: run_log_v5.sql, brought to format 6 by the program as it was then.
PRAGMA application_id = 1097032562;
PRAGMA user_version = 6;
BEGIN TRANSACTION;
CREATE TABLE "attempts" (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL CHECK (attempt BETWEEN 1 AND 1000000),
    from_step INTEGER NOT NULL DEFAULT 0 CHECK (from_step >= 0),
    from_samples INTEGER NOT NULL DEFAULT 0 CHECK (from_samples >= 0),
    from_micro_batches INTEGER NOT NULL DEFAULT 0 CHECK (from_micro_batches >= 0),
    from_epoch INTEGER NOT NULL DEFAULT 0 CHECK (from_epoch >= 0),
    from_seconds ANY NOT NULL DEFAULT 0.0,
    started_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    outcome TEXT
        CHECK (outcome IN ('completed', 'stopped', 'diverged', 'out_of_memory', 'failed')),
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    program_version TEXT NOT NULL,
    code_revision TEXT NOT NULL,
    torch_version TEXT NOT NULL DEFAULT '',
    cuda_version TEXT NOT NULL DEFAULT '',
    device TEXT NOT NULL DEFAULT '',
    device_name TEXT NOT NULL DEFAULT '',
    threads INTEGER NOT NULL DEFAULT 0 CHECK (threads >= 0),
    PRIMARY KEY (run_id, attempt)
) STRICT, WITHOUT ROWID;
INSERT INTO "attempts" VALUES(1,1,0,0,0,0,0.0,1767258001000,1767258009000,'completed','bench',4711,'0.1.0','2054170','2.11.0','','cpu','Test CPU',2);
INSERT INTO "attempts" VALUES(2,1,0,0,0,0,0.0,1767258002000,NULL,NULL,'bench',4711,'0.1.0','2054170','2.11.0','','cpu','Test CPU',2);
INSERT INTO "attempts" VALUES(4,1,0,0,0,0,0.0,1767258001000,1767258009000,'completed','bench',4711,'0.1.0','2054170','2.11.0','','cpu','Test CPU',2);
INSERT INTO "attempts" VALUES(4,2,20,2560,80,2,0.2,1767258003000,1767258004000,'completed','bench',1234,'0.1.0','abc','','','','',0);
CREATE TABLE checksums (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    table_name TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    first_step INTEGER NOT NULL,
    last_step INTEGER NOT NULL CHECK (last_step >= first_step),
    row_count INTEGER NOT NULL CHECK (row_count >= 1),
    checksum INTEGER NOT NULL,
    column_names TEXT NOT NULL,
    PRIMARY KEY (run_id, table_name, attempt, first_step)
) STRICT, WITHOUT ROWID;
INSERT INTO "checksums" VALUES(1,'attempts',0,0,0,1,2601282751,'run_id,attempt,from_step,from_samples,from_micro_batches,from_epoch,from_seconds,started_ms,ended_ms,outcome,host,pid,program_version,code_revision,torch_version,cuda_version,device,device_name,threads');
INSERT INTO "checksums" VALUES(1,'epochs',1,10,20,2,1802894920,'run_id,attempt,epoch,step,samples,micro_batches,seconds,train_loss,train_accuracy');
INSERT INTO "checksums" VALUES(1,'evaluations',1,10,20,2,682328150,'run_id,attempt,step,epoch,samples,micro_batches,seconds,test_loss,test_accuracy,evaluation_ms,validation_loss,validation_accuracy');
INSERT INTO "checksums" VALUES(1,'markers',1,6,20,6,14508369668,'sequence,run_id,attempt,kind,severity,step,samples,epoch,seconds,time_ms,value,text');
INSERT INTO "checksums" VALUES(1,'runs',0,0,0,1,1696387984,'id,token,name,note,archived,attempt,created_ms,started_ms,ended_ms,paused,outcome,message,checkpoint,recipe,host,boot_id,pid,program_version,code_revision,torch_version,cuda_version,device,device_name,threads,memory_format,data_description,data_identity,train_samples,test_samples,parameters,batch_effective,batch_micro,batch_steps,batch_devices,batch_solved,smallest_slice,epoch_samples,epoch_windows,epoch_tail_samples,epoch_micro_batches,total_steps,step,samples,micro_batches,epoch,seconds,peak_bytes,last_loss,final_train_loss,final_train_accuracy,final_test_loss,final_test_accuracy,best_test_accuracy,final_validation_loss,final_validation_accuracy,best_validation_accuracy,best_step,best_metric');
INSERT INTO "checksums" VALUES(1,'settings',0,0,0,40,72916788816,'run_id,key,kind,value');
INSERT INTO "checksums" VALUES(1,'steps',1,1,20,20,39985284090,'run_id,attempt,step,micro_batches,samples,epoch,seconds,window_samples,updated,loss,learning_rate,gradient_norm,step_ms,data_ms,forward_ms,backward_ms,optimizer_ms,peak_bytes');
INSERT INTO "checksums" VALUES(1,'summaries',0,0,0,14,25540960916,'run_id,metric,final,best,best_step,min,max');
INSERT INTO "checksums" VALUES(2,'attempts',0,0,0,1,3548034570,'run_id,attempt,from_step,from_samples,from_micro_batches,from_epoch,from_seconds,started_ms,ended_ms,outcome,host,pid,program_version,code_revision,torch_version,cuda_version,device,device_name,threads');
INSERT INTO "checksums" VALUES(2,'evaluations',1,10,10,1,3472932276,'run_id,attempt,step,epoch,samples,micro_batches,seconds,test_loss,test_accuracy,evaluation_ms,validation_loss,validation_accuracy');
INSERT INTO "checksums" VALUES(2,'runs',0,0,0,1,94294514,'id,token,name,note,archived,attempt,created_ms,started_ms,ended_ms,paused,outcome,message,checkpoint,recipe,host,boot_id,pid,program_version,code_revision,torch_version,cuda_version,device,device_name,threads,memory_format,data_description,data_identity,train_samples,test_samples,parameters,batch_effective,batch_micro,batch_steps,batch_devices,batch_solved,smallest_slice,epoch_samples,epoch_windows,epoch_tail_samples,epoch_micro_batches,total_steps,step,samples,micro_batches,epoch,seconds,peak_bytes,last_loss,final_train_loss,final_train_accuracy,final_test_loss,final_test_accuracy,best_test_accuracy,final_validation_loss,final_validation_accuracy,best_validation_accuracy,best_step,best_metric');
INSERT INTO "checksums" VALUES(2,'settings',0,0,0,40,86161517805,'run_id,key,kind,value');
INSERT INTO "checksums" VALUES(2,'steps',1,1,12,12,26443521468,'run_id,attempt,step,micro_batches,samples,epoch,seconds,window_samples,updated,loss,learning_rate,gradient_norm,step_ms,data_ms,forward_ms,backward_ms,optimizer_ms,peak_bytes');
INSERT INTO "checksums" VALUES(2,'summaries',0,0,0,12,13733137579,'run_id,metric,final,best,best_step,min,max');
INSERT INTO "checksums" VALUES(4,'attempts',0,0,0,2,7109470556,'run_id,attempt,from_step,from_samples,from_micro_batches,from_epoch,from_seconds,started_ms,ended_ms,outcome,host,pid,program_version,code_revision,torch_version,cuda_version,device,device_name,threads');
INSERT INTO "checksums" VALUES(4,'epochs',1,10,20,2,7037386668,'run_id,attempt,epoch,step,samples,micro_batches,seconds,train_loss,train_accuracy');
INSERT INTO "checksums" VALUES(4,'evaluations',1,10,20,2,1985053096,'run_id,attempt,step,epoch,samples,micro_batches,seconds,test_loss,test_accuracy,evaluation_ms,validation_loss,validation_accuracy');
INSERT INTO "checksums" VALUES(4,'markers',1,6,20,6,14740947543,'sequence,run_id,attempt,kind,severity,step,samples,epoch,seconds,time_ms,value,text');
INSERT INTO "checksums" VALUES(4,'markers',2,20,20,2,3934815520,'sequence,run_id,attempt,kind,severity,step,samples,epoch,seconds,time_ms,value,text');
INSERT INTO "checksums" VALUES(4,'memory',1,1,10,5,13293438082,'run_id,attempt,step,phase,micro_batch,position,epoch,seconds,samples,begin_bytes,end_bytes,peak_bytes,peak_data_set,peak_parameters,peak_gradients,peak_optimizer_state,peak_average,peak_buffers,peak_input,peak_activations,peak_workspace,end_data_set,end_parameters,end_gradients,end_optimizer_state,end_average,end_buffers,end_input,end_activations,end_workspace,cached_bytes,other_bytes');
INSERT INTO "checksums" VALUES(4,'memory_kept',1,1,1,2,2979356617,'run_id,attempt,step,micro_batch,position,layer,bytes');
INSERT INTO "checksums" VALUES(4,'memory_owners',1,1,1,2,6115587725,'run_id,attempt,step,phase,micro_batch,position,category,layer,operation,bytes');
INSERT INTO "checksums" VALUES(4,'runs',0,0,0,1,2289263750,'id,token,name,note,archived,attempt,created_ms,started_ms,ended_ms,paused,outcome,message,checkpoint,recipe,host,boot_id,pid,program_version,code_revision,torch_version,cuda_version,device,device_name,threads,memory_format,data_description,data_identity,train_samples,test_samples,parameters,batch_effective,batch_micro,batch_steps,batch_devices,batch_solved,smallest_slice,epoch_samples,epoch_windows,epoch_tail_samples,epoch_micro_batches,total_steps,step,samples,micro_batches,epoch,seconds,peak_bytes,last_loss,final_train_loss,final_train_accuracy,final_test_loss,final_test_accuracy,best_test_accuracy,final_validation_loss,final_validation_accuracy,best_validation_accuracy,best_step,best_metric');
INSERT INTO "checksums" VALUES(4,'settings',0,0,0,40,83742315530,'run_id,key,kind,value');
INSERT INTO "checksums" VALUES(4,'steps',1,1,20,20,46912289965,'run_id,attempt,step,micro_batches,samples,epoch,seconds,window_samples,updated,loss,learning_rate,gradient_norm,step_ms,data_ms,forward_ms,backward_ms,optimizer_ms,peak_bytes');
INSERT INTO "checksums" VALUES(4,'summaries',0,0,0,14,31769593062,'run_id,metric,final,best,best_step,min,max');
INSERT INTO "checksums" VALUES(4,'traces',1,1,2,8,17496889725,'run_id,attempt,step,micro_batches,samples,epoch,seconds,checksum,value_1,value_2,value_3,value_4');
CREATE TABLE epochs (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    step INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    micro_batches INTEGER NOT NULL,
    seconds ANY NOT NULL,
    train_loss ANY NOT NULL,
    train_accuracy ANY NOT NULL,
    PRIMARY KEY (run_id, epoch, attempt)
) STRICT, WITHOUT ROWID;
INSERT INTO "epochs" VALUES(1,1,1,10,1280,40,0.1,0.1,0.9);
INSERT INTO "epochs" VALUES(1,1,2,20,2560,80,0.2,0.05,0.9);
INSERT INTO "epochs" VALUES(4,1,1,10,1280,40,0.1,0.1,0.9);
INSERT INTO "epochs" VALUES(4,1,2,20,2560,80,0.2,0.05,0.9);
CREATE TABLE evaluations (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    micro_batches INTEGER NOT NULL,
    seconds ANY NOT NULL,
    test_loss ANY NOT NULL,
    test_accuracy ANY NOT NULL,
    evaluation_ms ANY NOT NULL, validation_loss ANY, validation_accuracy ANY,
    PRIMARY KEY (run_id, step, attempt)
) STRICT, WITHOUT ROWID;
INSERT INTO "evaluations" VALUES(1,1,10,1,1280,40,0.1,1.10000000000000014432e-01,0.95,7.0,NULL,NULL);
INSERT INTO "evaluations" VALUES(1,1,20,2,2560,80,0.2,5.50000000000000072164e-02,0.94,7.0,NULL,NULL);
INSERT INTO "evaluations" VALUES(2,1,10,1,1280,40,0.1,'nan',0.8,7.0,NULL,NULL);
INSERT INTO "evaluations" VALUES(4,1,10,1,1280,40,0.1,1.10000000000000014432e-01,0.95,7.0,NULL,NULL);
INSERT INTO "evaluations" VALUES(4,1,20,2,2560,80,0.2,5.50000000000000072164e-02,0.94,7.0,NULL,NULL);
CREATE TABLE markers (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('checkpoint', 'learning_rate', 'paused', 'resumed',
        'message', 'ended', 'continued', 'out_of_memory')),
    severity TEXT NOT NULL CHECK (severity IN ('information', 'warning', 'error')),
    step INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    seconds ANY NOT NULL,
    time_ms INTEGER NOT NULL,
    value ANY,
    text TEXT NOT NULL
) STRICT;
INSERT INTO "markers" VALUES(1,1,1,'learning_rate','information',6,640,1,0.05,1767258002001,0.02,'Learning rate 0.02 (schedule × 0.5)');
INSERT INTO "markers" VALUES(2,1,1,'paused','information',20,2560,2,0.2,1767258002002,NULL,'Paused');
INSERT INTO "markers" VALUES(3,1,1,'resumed','information',20,2560,2,0.2,1767258002003,NULL,'Resumed');
INSERT INTO "markers" VALUES(4,1,1,'message','warning',20,2560,2,0.2,1767258002004,NULL,'Mind the gap.');
INSERT INTO "markers" VALUES(5,1,1,'checkpoint','information',20,2560,2,0.21,1767258002005,NULL,'Saved to /logs/runs.checkpoints/run-1-00000000');
INSERT INTO "markers" VALUES(6,1,1,'ended','information',20,2560,2,0.2,1767258002006,NULL,'completed');
INSERT INTO "markers" VALUES(8,4,1,'learning_rate','information',6,640,1,0.05,1767258002001,0.02,'Learning rate 0.02 (schedule × 0.5)');
INSERT INTO "markers" VALUES(9,4,1,'paused','information',20,2560,2,0.2,1767258002002,NULL,'Paused');
INSERT INTO "markers" VALUES(10,4,1,'resumed','information',20,2560,2,0.2,1767258002003,NULL,'Resumed');
INSERT INTO "markers" VALUES(11,4,1,'message','warning',20,2560,2,0.2,1767258002004,NULL,'Mind the gap.');
INSERT INTO "markers" VALUES(12,4,1,'checkpoint','information',20,2560,2,0.21,1767258002005,NULL,'Saved to /logs/runs.checkpoints/run-1-00000000');
INSERT INTO "markers" VALUES(13,4,1,'ended','information',20,2560,2,0.2,1767258002006,NULL,'completed');
INSERT INTO "markers" VALUES(14,4,2,'continued','information',20,2560,2,0.2,1767258003000,NULL,'Resumed as attempt 2 from step 20');
INSERT INTO "markers" VALUES(15,4,2,'out_of_memory','warning',20,2560,2,0.2,1767258003001,16.0,'Went on with smaller micro-batches.');
CREATE TABLE "memory" (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL CHECK (attempt BETWEEN 1 AND 1000000),
    step INTEGER NOT NULL CHECK (step >= 0),
    phase TEXT NOT NULL
        CHECK (phase IN ('data', 'forward', 'backward', 'optimizer', 'evaluation')),
    micro_batch INTEGER NOT NULL CHECK (micro_batch >= 0),
    position INTEGER NOT NULL CHECK (position >= 0),
    epoch INTEGER NOT NULL CHECK (epoch >= 0),
    seconds ANY NOT NULL,
    samples INTEGER NOT NULL CHECK (samples >= 0),
    begin_bytes INTEGER NOT NULL CHECK (begin_bytes >= 0),
    end_bytes INTEGER NOT NULL CHECK (end_bytes >= 0),
    peak_bytes INTEGER NOT NULL CHECK (peak_bytes >= 0),
    peak_data_set INTEGER NOT NULL,
    peak_parameters INTEGER NOT NULL,
    peak_gradients INTEGER NOT NULL,
    peak_optimizer_state INTEGER NOT NULL,
    peak_average INTEGER NOT NULL,
    peak_buffers INTEGER NOT NULL,
    peak_input INTEGER NOT NULL,
    peak_activations INTEGER NOT NULL,
    peak_workspace INTEGER NOT NULL,
    end_data_set INTEGER NOT NULL,
    end_parameters INTEGER NOT NULL,
    end_gradients INTEGER NOT NULL,
    end_optimizer_state INTEGER NOT NULL,
    end_average INTEGER NOT NULL,
    end_buffers INTEGER NOT NULL,
    end_input INTEGER NOT NULL,
    end_activations INTEGER NOT NULL,
    end_workspace INTEGER NOT NULL,
    cached_bytes INTEGER NOT NULL,
    other_bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, step, attempt, phase, micro_batch)
) STRICT, WITHOUT ROWID;
INSERT INTO "memory" VALUES(4,1,1,'backward',1,3,1,0.01,32,2800,2910,3000,1000,500,500,500,0,10,100,300,90,1000,500,500,500,0,10,100,300,0,0,0);
INSERT INTO "memory" VALUES(4,1,1,'data',1,1,1,0.01,32,2500,2610,2700,1000,500,500,500,0,10,100,0,90,1000,500,500,500,0,10,100,0,0,0,0);
INSERT INTO "memory" VALUES(4,1,1,'forward',1,2,1,0.01,32,2500,2610,2700,1000,500,500,500,0,10,100,0,90,1000,500,500,500,0,10,100,0,0,0,0);
INSERT INTO "memory" VALUES(4,1,1,'optimizer',0,4,1,0.01,128,2500,2610,2700,1000,500,500,500,0,10,100,0,90,1000,500,500,500,0,10,100,0,0,0,-5);
INSERT INTO "memory" VALUES(4,1,10,'evaluation',0,1,1,0.01,128,2500,2610,2700,1000,500,500,500,0,10,100,0,90,1000,500,500,500,0,10,100,0,0,0,0);
CREATE TABLE memory_kept (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    micro_batch INTEGER NOT NULL,
    position INTEGER NOT NULL,
    layer TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, step, attempt, micro_batch, position)
) STRICT, WITHOUT ROWID;
INSERT INTO "memory_kept" VALUES(4,1,1,1,1,'conv1',200);
INSERT INTO "memory_kept" VALUES(4,1,1,1,2,'',100);
CREATE TABLE memory_owners (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    phase TEXT NOT NULL,
    micro_batch INTEGER NOT NULL,
    position INTEGER NOT NULL,
    category TEXT NOT NULL,
    layer TEXT NOT NULL,
    operation TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, step, attempt, phase, micro_batch, position)
) STRICT, WITHOUT ROWID;
INSERT INTO "memory_owners" VALUES(4,1,1,'backward',1,1,'activations','conv1','aten::conv2d',300);
INSERT INTO "memory_owners" VALUES(4,1,1,'backward',1,2,'data set','','',1000);
CREATE TABLE "runs" (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    note TEXT NOT NULL DEFAULT '',
    archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
    attempt INTEGER NOT NULL DEFAULT 1 CHECK (attempt BETWEEN 1 AND 1000000),
    created_ms INTEGER NOT NULL,
    started_ms INTEGER,
    ended_ms INTEGER,
    paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
    outcome TEXT
        CHECK (outcome IN ('completed', 'stopped', 'diverged', 'out_of_memory', 'failed')),
    message TEXT NOT NULL DEFAULT '',
    checkpoint TEXT NOT NULL DEFAULT '',
    recipe TEXT NOT NULL,
    host TEXT NOT NULL,
    boot_id TEXT NOT NULL,
    pid INTEGER NOT NULL,
    program_version TEXT NOT NULL,
    code_revision TEXT NOT NULL,
    torch_version TEXT NOT NULL DEFAULT '',
    cuda_version TEXT NOT NULL DEFAULT '',
    device TEXT NOT NULL DEFAULT '',
    device_name TEXT NOT NULL DEFAULT '',
    threads INTEGER NOT NULL DEFAULT 0 CHECK (threads >= 0),
    memory_format TEXT NOT NULL DEFAULT '',
    data_description TEXT NOT NULL DEFAULT '',
    data_identity TEXT NOT NULL DEFAULT '',
    train_samples INTEGER NOT NULL DEFAULT 0 CHECK (train_samples >= 0),
    test_samples INTEGER NOT NULL DEFAULT 0 CHECK (test_samples >= 0),
    parameters INTEGER NOT NULL DEFAULT 0 CHECK (parameters >= 0),
    batch_effective INTEGER NOT NULL CHECK (batch_effective >= 0),
    batch_micro INTEGER NOT NULL CHECK (batch_micro >= 0),
    batch_steps INTEGER NOT NULL CHECK (batch_steps >= 0),
    batch_devices INTEGER NOT NULL CHECK (batch_devices >= 0),
    batch_solved TEXT NOT NULL,
    smallest_slice INTEGER NOT NULL CHECK (smallest_slice >= 0),
    epoch_samples INTEGER NOT NULL DEFAULT 0 CHECK (epoch_samples >= 0),
    epoch_windows INTEGER NOT NULL DEFAULT 0 CHECK (epoch_windows >= 0),
    epoch_tail_samples INTEGER NOT NULL DEFAULT 0 CHECK (epoch_tail_samples >= 0),
    epoch_micro_batches INTEGER NOT NULL DEFAULT 0 CHECK (epoch_micro_batches >= 0),
    total_steps INTEGER NOT NULL DEFAULT 0 CHECK (total_steps >= 0),
    step INTEGER NOT NULL DEFAULT 0 CHECK (step >= 0),
    samples INTEGER NOT NULL DEFAULT 0 CHECK (samples >= 0),
    micro_batches INTEGER NOT NULL DEFAULT 0 CHECK (micro_batches >= 0),
    epoch INTEGER NOT NULL DEFAULT 0 CHECK (epoch >= 0),
    seconds ANY NOT NULL DEFAULT 0.0,
    peak_bytes INTEGER NOT NULL DEFAULT 0 CHECK (peak_bytes >= 0),
    last_loss ANY,
    final_train_loss ANY,
    final_train_accuracy ANY,
    final_test_loss ANY,
    final_test_accuracy ANY,
    best_test_accuracy ANY,
    final_validation_loss ANY,
    final_validation_accuracy ANY,
    best_validation_accuracy ANY,
    best_step INTEGER NOT NULL DEFAULT 0 CHECK (best_step >= 0),
    best_metric TEXT AS (CASE
        WHEN best_validation_accuracy IS NOT NULL THEN 'validation_accuracy'
        WHEN best_test_accuracy IS NOT NULL THEN 'test_accuracy' END) VIRTUAL
) STRICT;
INSERT INTO "runs" VALUES(1,'0000000000000000000000003f9a01c8','whole','',0,1,1767258001000,1767258001500,1767258009000,0,'completed','','/logs/runs.checkpoints/run-1-00000000','name = "whole"
','bench','3b0b59a2-7d3e-4c39-8f0f-2f1f4c1de001',4711,'0.1.0','2054170','2.11.0','','cpu','Test CPU',2,'','made-up data','',1280,256,61706,128,32,4,1,'effective',1,1280,10,0,40,100,20,2560,80,2,0.2,1020,0.05,0.05,0.9,5.50000000000000072164e-02,0.94,0.95,NULL,NULL,NULL,10);
INSERT INTO "runs" VALUES(2,'0000000000000000000000003f9a01c9','cut off','',0,1,1767258002000,1767258002500,NULL,0,NULL,'','','name = "cut off"
','bench','3b0b59a2-7d3e-4c39-8f0f-2f1f4c1de001',4711,'0.1.0','2054170','2.11.0','','cpu','Test CPU',2,'','made-up data','',1280,256,61706,128,32,4,1,'effective',1,1280,10,0,40,100,12,1536,48,2,0.12,1012,8.33333333333333287074e-02,NULL,NULL,'nan',0.8,0.8,NULL,NULL,NULL,10);
INSERT INTO "runs" VALUES(4,'44444444444444444444444444444444','resumed, metered, traced','',1,2,1767258001000,1767258001500,1767258009000,0,'completed','','','name = "whole"
','bench','3b0b59a2-7d3e-4c39-8f0f-2f1f4c1de001',4711,'0.1.0','2054170','2.11.0','','cpu','Test CPU',2,'contiguous','made-up data','',1280,256,61706,128,32,4,1,'effective',1,1280,10,0,40,100,20,2560,80,2,0.2,1020,0.05,0.05,0.9,5.50000000000000072164e-02,0.94,0.95,NULL,NULL,NULL,10);
CREATE TABLE settings (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('boolean', 'integer', 'number', 'text')),
    value ANY NOT NULL,
    PRIMARY KEY (run_id, key)
) STRICT, WITHOUT ROWID;
INSERT INTO "settings" VALUES(1,'batch.devices','integer',1);
INSERT INTO "settings" VALUES(1,'batch.effective','text','auto');
INSERT INTO "settings" VALUES(1,'batch.micro','integer',32);
INSERT INTO "settings" VALUES(1,'batch.reduction','text','mean');
INSERT INTO "settings" VALUES(1,'batch.schedule','text','');
INSERT INTO "settings" VALUES(1,'batch.steps','integer',4);
INSERT INTO "settings" VALUES(1,'batch.tail','text','flush');
INSERT INTO "settings" VALUES(1,'data.name','text','digits');
INSERT INTO "settings" VALUES(1,'data.path','text','');
INSERT INTO "settings" VALUES(1,'data.shuffle','boolean',1);
INSERT INTO "settings" VALUES(1,'model.groups','text','auto');
INSERT INTO "settings" VALUES(1,'model.init','text','torch');
INSERT INTO "settings" VALUES(1,'model.init_sigma','number',0.02);
INSERT INTO "settings" VALUES(1,'model.name','text','lenet5');
INSERT INTO "settings" VALUES(1,'model.norm','text','none');
INSERT INTO "settings" VALUES(1,'model.widths','text','512, 512');
INSERT INTO "settings" VALUES(1,'name','text','whole');
INSERT INTO "settings" VALUES(1,'optimizer.beta1','number',0.9);
INSERT INTO "settings" VALUES(1,'optimizer.beta2','number',0.999);
INSERT INTO "settings" VALUES(1,'optimizer.dampening','number',0.0);
INSERT INTO "settings" VALUES(1,'optimizer.eps','number',1.0e-08);
INSERT INTO "settings" VALUES(1,'optimizer.lr','number',0.01);
INSERT INTO "settings" VALUES(1,'optimizer.lr_rule','text','none');
INSERT INTO "settings" VALUES(1,'optimizer.momentum','number',0.9);
INSERT INTO "settings" VALUES(1,'optimizer.name','text','sgd');
INSERT INTO "settings" VALUES(1,'optimizer.nesterov','boolean',0);
INSERT INTO "settings" VALUES(1,'optimizer.weight_decay','number',0.0);
INSERT INTO "settings" VALUES(1,'run.device','text','auto');
INSERT INTO "settings" VALUES(1,'run.epochs','integer',10);
INSERT INTO "settings" VALUES(1,'run.evaluate_every','text','1 epoch');
INSERT INTO "settings" VALUES(1,'run.evaluation_batch','integer',512);
INSERT INTO "settings" VALUES(1,'run.limit_steps','integer',0);
INSERT INTO "settings" VALUES(1,'run.not_finite','text','end');
INSERT INTO "settings" VALUES(1,'run.precision','text','float32');
INSERT INTO "settings" VALUES(1,'run.seed','integer',1);
INSERT INTO "settings" VALUES(1,'run.threads','text','auto');
INSERT INTO "settings" VALUES(1,'schedule.final_factor','number',0.0);
INSERT INTO "settings" VALUES(1,'schedule.name','text','constant');
INSERT INTO "settings" VALUES(1,'schedule.warmup_epochs','integer',0);
INSERT INTO "settings" VALUES(1,'schedule.warmup_steps','integer',0);
INSERT INTO "settings" VALUES(2,'batch.devices','integer',1);
INSERT INTO "settings" VALUES(2,'batch.effective','text','auto');
INSERT INTO "settings" VALUES(2,'batch.micro','integer',32);
INSERT INTO "settings" VALUES(2,'batch.reduction','text','mean');
INSERT INTO "settings" VALUES(2,'batch.schedule','text','');
INSERT INTO "settings" VALUES(2,'batch.steps','integer',4);
INSERT INTO "settings" VALUES(2,'batch.tail','text','flush');
INSERT INTO "settings" VALUES(2,'data.name','text','digits');
INSERT INTO "settings" VALUES(2,'data.path','text','');
INSERT INTO "settings" VALUES(2,'data.shuffle','boolean',1);
INSERT INTO "settings" VALUES(2,'model.groups','text','auto');
INSERT INTO "settings" VALUES(2,'model.init','text','torch');
INSERT INTO "settings" VALUES(2,'model.init_sigma','number',0.02);
INSERT INTO "settings" VALUES(2,'model.name','text','lenet5');
INSERT INTO "settings" VALUES(2,'model.norm','text','none');
INSERT INTO "settings" VALUES(2,'model.widths','text','512, 512');
INSERT INTO "settings" VALUES(2,'name','text','cut off');
INSERT INTO "settings" VALUES(2,'optimizer.beta1','number',0.9);
INSERT INTO "settings" VALUES(2,'optimizer.beta2','number',0.999);
INSERT INTO "settings" VALUES(2,'optimizer.dampening','number',0.0);
INSERT INTO "settings" VALUES(2,'optimizer.eps','number',1.0e-08);
INSERT INTO "settings" VALUES(2,'optimizer.lr','number',0.01);
INSERT INTO "settings" VALUES(2,'optimizer.lr_rule','text','none');
INSERT INTO "settings" VALUES(2,'optimizer.momentum','number',0.9);
INSERT INTO "settings" VALUES(2,'optimizer.name','text','sgd');
INSERT INTO "settings" VALUES(2,'optimizer.nesterov','boolean',0);
INSERT INTO "settings" VALUES(2,'optimizer.weight_decay','number',0.0);
INSERT INTO "settings" VALUES(2,'run.device','text','auto');
INSERT INTO "settings" VALUES(2,'run.epochs','integer',10);
INSERT INTO "settings" VALUES(2,'run.evaluate_every','text','1 epoch');
INSERT INTO "settings" VALUES(2,'run.evaluation_batch','integer',512);
INSERT INTO "settings" VALUES(2,'run.limit_steps','integer',0);
INSERT INTO "settings" VALUES(2,'run.not_finite','text','end');
INSERT INTO "settings" VALUES(2,'run.precision','text','float32');
INSERT INTO "settings" VALUES(2,'run.seed','integer',1);
INSERT INTO "settings" VALUES(2,'run.threads','text','auto');
INSERT INTO "settings" VALUES(2,'schedule.final_factor','number',0.0);
INSERT INTO "settings" VALUES(2,'schedule.name','text','constant');
INSERT INTO "settings" VALUES(2,'schedule.warmup_epochs','integer',0);
INSERT INTO "settings" VALUES(2,'schedule.warmup_steps','integer',0);
INSERT INTO "settings" VALUES(4,'batch.devices','integer',1);
INSERT INTO "settings" VALUES(4,'batch.effective','text','auto');
INSERT INTO "settings" VALUES(4,'batch.micro','integer',32);
INSERT INTO "settings" VALUES(4,'batch.reduction','text','mean');
INSERT INTO "settings" VALUES(4,'batch.schedule','text','');
INSERT INTO "settings" VALUES(4,'batch.steps','integer',4);
INSERT INTO "settings" VALUES(4,'batch.tail','text','flush');
INSERT INTO "settings" VALUES(4,'data.name','text','digits');
INSERT INTO "settings" VALUES(4,'data.path','text','');
INSERT INTO "settings" VALUES(4,'data.shuffle','boolean',1);
INSERT INTO "settings" VALUES(4,'model.groups','text','auto');
INSERT INTO "settings" VALUES(4,'model.init','text','torch');
INSERT INTO "settings" VALUES(4,'model.init_sigma','number',0.02);
INSERT INTO "settings" VALUES(4,'model.name','text','lenet5');
INSERT INTO "settings" VALUES(4,'model.norm','text','none');
INSERT INTO "settings" VALUES(4,'model.widths','text','512, 512');
INSERT INTO "settings" VALUES(4,'name','text','whole');
INSERT INTO "settings" VALUES(4,'optimizer.beta1','number',0.9);
INSERT INTO "settings" VALUES(4,'optimizer.beta2','number',0.999);
INSERT INTO "settings" VALUES(4,'optimizer.dampening','number',0.0);
INSERT INTO "settings" VALUES(4,'optimizer.eps','number',1.0e-08);
INSERT INTO "settings" VALUES(4,'optimizer.lr','number',0.01);
INSERT INTO "settings" VALUES(4,'optimizer.lr_rule','text','none');
INSERT INTO "settings" VALUES(4,'optimizer.momentum','number',0.9);
INSERT INTO "settings" VALUES(4,'optimizer.name','text','sgd');
INSERT INTO "settings" VALUES(4,'optimizer.nesterov','boolean',0);
INSERT INTO "settings" VALUES(4,'optimizer.weight_decay','number',0.0);
INSERT INTO "settings" VALUES(4,'run.device','text','auto');
INSERT INTO "settings" VALUES(4,'run.epochs','integer',10);
INSERT INTO "settings" VALUES(4,'run.evaluate_every','text','1 epoch');
INSERT INTO "settings" VALUES(4,'run.evaluation_batch','integer',512);
INSERT INTO "settings" VALUES(4,'run.limit_steps','integer',0);
INSERT INTO "settings" VALUES(4,'run.not_finite','text','end');
INSERT INTO "settings" VALUES(4,'run.precision','text','float32');
INSERT INTO "settings" VALUES(4,'run.seed','integer',1);
INSERT INTO "settings" VALUES(4,'run.threads','text','auto');
INSERT INTO "settings" VALUES(4,'schedule.final_factor','number',0.0);
INSERT INTO "settings" VALUES(4,'schedule.name','text','constant');
INSERT INTO "settings" VALUES(4,'schedule.warmup_epochs','integer',0);
INSERT INTO "settings" VALUES(4,'schedule.warmup_steps','integer',0);
CREATE TABLE steps (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    micro_batches INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    seconds ANY NOT NULL,
    window_samples INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    loss ANY NOT NULL,
    learning_rate ANY NOT NULL,
    gradient_norm ANY NOT NULL,
    step_ms ANY NOT NULL,
    data_ms ANY NOT NULL,
    forward_ms ANY NOT NULL,
    backward_ms ANY NOT NULL,
    optimizer_ms ANY NOT NULL,
    peak_bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, step, micro_batches, attempt)
) STRICT, WITHOUT ROWID;
INSERT INTO "steps" VALUES(1,1,1,4,128,1,0.01,128,1,1.0,0.04,1.0,10.0,1.0,3.0,5.0,1.0,1001);
INSERT INTO "steps" VALUES(1,1,2,8,256,1,0.02,128,1,0.5,0.04,2.0,10.0,1.0,3.0,5.0,1.0,1002);
INSERT INTO "steps" VALUES(1,1,3,12,384,1,0.03,128,1,3.33333333333333314829e-01,0.04,3.0,10.0,1.0,3.0,5.0,1.0,1003);
INSERT INTO "steps" VALUES(1,1,4,16,512,1,0.04,128,1,0.25,0.04,4.0,10.0,1.0,3.0,5.0,1.0,1004);
INSERT INTO "steps" VALUES(1,1,5,20,640,1,0.05,128,1,0.2,0.04,5.0,10.0,1.0,3.0,5.0,1.0,1005);
INSERT INTO "steps" VALUES(1,1,6,24,768,1,0.06,128,1,1.66666666666666657414e-01,0.04,6.0,10.0,1.0,3.0,5.0,1.0,1006);
INSERT INTO "steps" VALUES(1,1,7,28,896,1,0.07,128,1,1.42857142857142849212e-01,0.04,'inf',10.0,1.0,3.0,5.0,1.0,1007);
INSERT INTO "steps" VALUES(1,1,8,32,1024,1,0.08,128,1,0.125,0.04,8.0,10.0,1.0,3.0,5.0,1.0,1008);
INSERT INTO "steps" VALUES(1,1,9,36,1152,1,0.09,128,1,1.11111111111111104943e-01,0.04,9.0,10.0,1.0,3.0,5.0,1.0,1009);
INSERT INTO "steps" VALUES(1,1,10,40,1280,1,0.1,128,1,0.1,0.04,10.0,10.0,1.0,3.0,5.0,1.0,1010);
INSERT INTO "steps" VALUES(1,1,11,44,1408,2,0.11,128,1,9.09090909090909116141e-02,0.04,11.0,10.0,1.0,3.0,5.0,1.0,1011);
INSERT INTO "steps" VALUES(1,1,12,48,1536,2,0.12,128,1,8.33333333333333287074e-02,0.04,12.0,10.0,1.0,3.0,5.0,1.0,1012);
INSERT INTO "steps" VALUES(1,1,13,52,1664,2,0.13,128,1,7.6923076923076927347e-02,0.04,13.0,10.0,1.0,3.0,5.0,1.0,1013);
INSERT INTO "steps" VALUES(1,1,14,56,1792,2,0.14,128,1,7.14285714285714246063e-02,0.04,14.0,10.0,1.0,3.0,5.0,1.0,1014);
INSERT INTO "steps" VALUES(1,1,15,60,1920,2,0.15,128,1,6.66666666666666657414e-02,0.04,15.0,10.0,1.0,3.0,5.0,1.0,1015);
INSERT INTO "steps" VALUES(1,1,16,64,2048,2,0.16,128,1,0.0625,0.04,16.0,10.0,1.0,3.0,5.0,1.0,1016);
INSERT INTO "steps" VALUES(1,1,17,68,2176,2,0.17,128,1,5.8823529411764705066e-02,0.04,17.0,10.0,1.0,3.0,5.0,1.0,1017);
INSERT INTO "steps" VALUES(1,1,18,72,2304,2,0.18,128,1,5.55555555555555524716e-02,0.04,18.0,10.0,1.0,3.0,5.0,1.0,1018);
INSERT INTO "steps" VALUES(1,1,19,76,2432,2,0.19,128,1,5.26315789473684181309e-02,0.04,19.0,10.0,1.0,3.0,5.0,1.0,1019);
INSERT INTO "steps" VALUES(1,1,20,80,2560,2,0.2,128,1,0.05,0.04,20.0,10.0,1.0,3.0,5.0,1.0,1020);
INSERT INTO "steps" VALUES(2,1,1,4,128,1,0.01,128,1,1.0,0.04,1.0,10.0,1.0,3.0,5.0,1.0,1001);
INSERT INTO "steps" VALUES(2,1,2,8,256,1,0.02,128,1,0.5,0.04,2.0,10.0,1.0,3.0,5.0,1.0,1002);
INSERT INTO "steps" VALUES(2,1,3,12,384,1,0.03,128,1,3.33333333333333314829e-01,0.04,3.0,10.0,1.0,3.0,5.0,1.0,1003);
INSERT INTO "steps" VALUES(2,1,4,16,512,1,0.04,128,1,0.25,0.04,4.0,10.0,1.0,3.0,5.0,1.0,1004);
INSERT INTO "steps" VALUES(2,1,5,20,640,1,0.05,128,1,0.2,0.04,5.0,10.0,1.0,3.0,5.0,1.0,1005);
INSERT INTO "steps" VALUES(2,1,6,24,768,1,0.06,128,1,1.66666666666666657414e-01,0.04,6.0,10.0,1.0,3.0,5.0,1.0,1006);
INSERT INTO "steps" VALUES(2,1,7,28,896,1,0.07,128,1,1.42857142857142849212e-01,0.04,7.0,10.0,1.0,3.0,5.0,1.0,1007);
INSERT INTO "steps" VALUES(2,1,8,32,1024,1,0.08,128,1,0.125,0.04,8.0,10.0,1.0,3.0,5.0,1.0,1008);
INSERT INTO "steps" VALUES(2,1,9,36,1152,1,0.09,128,1,1.11111111111111104943e-01,0.04,9.0,10.0,1.0,3.0,5.0,1.0,1009);
INSERT INTO "steps" VALUES(2,1,10,40,1280,1,0.1,128,1,0.1,0.04,10.0,10.0,1.0,3.0,5.0,1.0,1010);
INSERT INTO "steps" VALUES(2,1,11,44,1408,2,0.11,128,1,9.09090909090909116141e-02,0.04,11.0,10.0,1.0,3.0,5.0,1.0,1011);
INSERT INTO "steps" VALUES(2,1,12,48,1536,2,0.12,128,1,8.33333333333333287074e-02,0.04,12.0,10.0,1.0,3.0,5.0,1.0,1012);
INSERT INTO "steps" VALUES(4,1,1,4,128,1,0.01,128,1,1.0,0.04,1.0,10.0,1.0,3.0,5.0,1.0,1001);
INSERT INTO "steps" VALUES(4,1,2,8,256,1,0.02,128,1,0.5,0.04,2.0,10.0,1.0,3.0,5.0,1.0,1002);
INSERT INTO "steps" VALUES(4,1,3,12,384,1,0.03,128,1,3.33333333333333314829e-01,0.04,3.0,10.0,1.0,3.0,5.0,1.0,1003);
INSERT INTO "steps" VALUES(4,1,4,16,512,1,0.04,128,1,0.25,0.04,4.0,10.0,1.0,3.0,5.0,1.0,1004);
INSERT INTO "steps" VALUES(4,1,5,20,640,1,0.05,128,1,0.2,0.04,5.0,10.0,1.0,3.0,5.0,1.0,1005);
INSERT INTO "steps" VALUES(4,1,6,24,768,1,0.06,128,1,1.66666666666666657414e-01,0.04,6.0,10.0,1.0,3.0,5.0,1.0,1006);
INSERT INTO "steps" VALUES(4,1,7,28,896,1,0.07,128,1,1.42857142857142849212e-01,0.04,'inf',10.0,1.0,3.0,5.0,1.0,1007);
INSERT INTO "steps" VALUES(4,1,8,32,1024,1,0.08,128,1,0.125,0.04,8.0,10.0,1.0,3.0,5.0,1.0,1008);
INSERT INTO "steps" VALUES(4,1,9,36,1152,1,0.09,128,1,1.11111111111111104943e-01,0.04,9.0,10.0,1.0,3.0,5.0,1.0,1009);
INSERT INTO "steps" VALUES(4,1,10,40,1280,1,0.1,128,1,0.1,0.04,10.0,10.0,1.0,3.0,5.0,1.0,1010);
INSERT INTO "steps" VALUES(4,1,11,44,1408,2,0.11,128,1,9.09090909090909116141e-02,0.04,11.0,10.0,1.0,3.0,5.0,1.0,1011);
INSERT INTO "steps" VALUES(4,1,12,48,1536,2,0.12,128,1,8.33333333333333287074e-02,0.04,12.0,10.0,1.0,3.0,5.0,1.0,1012);
INSERT INTO "steps" VALUES(4,1,13,52,1664,2,0.13,128,1,7.6923076923076927347e-02,0.04,13.0,10.0,1.0,3.0,5.0,1.0,1013);
INSERT INTO "steps" VALUES(4,1,14,56,1792,2,0.14,128,1,7.14285714285714246063e-02,0.04,14.0,10.0,1.0,3.0,5.0,1.0,1014);
INSERT INTO "steps" VALUES(4,1,15,60,1920,2,0.15,128,1,6.66666666666666657414e-02,0.04,15.0,10.0,1.0,3.0,5.0,1.0,1015);
INSERT INTO "steps" VALUES(4,1,16,64,2048,2,0.16,128,1,0.0625,0.04,16.0,10.0,1.0,3.0,5.0,1.0,1016);
INSERT INTO "steps" VALUES(4,1,17,68,2176,2,0.17,128,1,5.8823529411764705066e-02,0.04,17.0,10.0,1.0,3.0,5.0,1.0,1017);
INSERT INTO "steps" VALUES(4,1,18,72,2304,2,0.18,128,1,5.55555555555555524716e-02,0.04,18.0,10.0,1.0,3.0,5.0,1.0,1018);
INSERT INTO "steps" VALUES(4,1,19,76,2432,2,0.19,128,1,5.26315789473684181309e-02,0.04,19.0,10.0,1.0,3.0,5.0,1.0,1019);
INSERT INTO "steps" VALUES(4,1,20,80,2560,2,0.2,128,1,0.05,0.04,20.0,10.0,1.0,3.0,5.0,1.0,1020);
CREATE TABLE summaries (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    metric TEXT NOT NULL,
    final ANY NOT NULL,
    best ANY NOT NULL,
    best_step INTEGER NOT NULL,
    min ANY NOT NULL,
    max ANY NOT NULL,
    PRIMARY KEY (run_id, metric)
) STRICT, WITHOUT ROWID;
INSERT INTO "summaries" VALUES(1,'backward_ms',5.0,5.0,1,5.0,5.0);
INSERT INTO "summaries" VALUES(1,'data_ms',1.0,1.0,1,1.0,1.0);
INSERT INTO "summaries" VALUES(1,'forward_ms',3.0,3.0,1,3.0,3.0);
INSERT INTO "summaries" VALUES(1,'gradient_norm',20.0,1.0,1,1.0,20.0);
INSERT INTO "summaries" VALUES(1,'learning_rate',0.04,0.04,1,0.04,0.04);
INSERT INTO "summaries" VALUES(1,'loss',0.05,0.05,20,0.05,1.0);
INSERT INTO "summaries" VALUES(1,'optimizer_ms',1.0,1.0,1,1.0,1.0);
INSERT INTO "summaries" VALUES(1,'peak_bytes',1020.0,1001.0,1,1001.0,1020.0);
INSERT INTO "summaries" VALUES(1,'step_ms',10.0,10.0,1,10.0,10.0);
INSERT INTO "summaries" VALUES(1,'test_accuracy',0.94,0.95,10,0.94,0.95);
INSERT INTO "summaries" VALUES(1,'test_loss',5.50000000000000072164e-02,5.50000000000000072164e-02,20,5.50000000000000072164e-02,1.10000000000000014432e-01);
INSERT INTO "summaries" VALUES(1,'throughput',12800.0,12800.0,1,12800.0,12800.0);
INSERT INTO "summaries" VALUES(1,'train_accuracy',0.9,0.9,10,0.9,0.9);
INSERT INTO "summaries" VALUES(1,'train_loss',0.05,0.05,20,0.05,0.1);
INSERT INTO "summaries" VALUES(2,'backward_ms',5.0,5.0,1,5.0,5.0);
INSERT INTO "summaries" VALUES(2,'data_ms',1.0,1.0,1,1.0,1.0);
INSERT INTO "summaries" VALUES(2,'forward_ms',3.0,3.0,1,3.0,3.0);
INSERT INTO "summaries" VALUES(2,'gradient_norm',12.0,1.0,1,1.0,12.0);
INSERT INTO "summaries" VALUES(2,'learning_rate',0.04,0.04,1,0.04,0.04);
INSERT INTO "summaries" VALUES(2,'loss',8.33333333333333287074e-02,8.33333333333333287074e-02,12,8.33333333333333287074e-02,1.0);
INSERT INTO "summaries" VALUES(2,'optimizer_ms',1.0,1.0,1,1.0,1.0);
INSERT INTO "summaries" VALUES(2,'peak_bytes',1012.0,1001.0,1,1001.0,1012.0);
INSERT INTO "summaries" VALUES(2,'step_ms',10.0,10.0,1,10.0,10.0);
INSERT INTO "summaries" VALUES(2,'test_accuracy',0.8,0.8,10,0.8,0.8);
INSERT INTO "summaries" VALUES(2,'test_loss','nan','nan',0,'nan','nan');
INSERT INTO "summaries" VALUES(2,'throughput',12800.0,12800.0,1,12800.0,12800.0);
INSERT INTO "summaries" VALUES(4,'backward_ms',5.0,5.0,1,5.0,5.0);
INSERT INTO "summaries" VALUES(4,'data_ms',1.0,1.0,1,1.0,1.0);
INSERT INTO "summaries" VALUES(4,'forward_ms',3.0,3.0,1,3.0,3.0);
INSERT INTO "summaries" VALUES(4,'gradient_norm',20.0,1.0,1,1.0,20.0);
INSERT INTO "summaries" VALUES(4,'learning_rate',0.04,0.04,1,0.04,0.04);
INSERT INTO "summaries" VALUES(4,'loss',0.05,0.05,20,0.05,1.0);
INSERT INTO "summaries" VALUES(4,'optimizer_ms',1.0,1.0,1,1.0,1.0);
INSERT INTO "summaries" VALUES(4,'peak_bytes',1020.0,1001.0,1,1001.0,1020.0);
INSERT INTO "summaries" VALUES(4,'step_ms',10.0,10.0,1,10.0,10.0);
INSERT INTO "summaries" VALUES(4,'test_accuracy',0.94,0.95,10,0.94,0.95);
INSERT INTO "summaries" VALUES(4,'test_loss',5.50000000000000072164e-02,5.50000000000000072164e-02,20,5.50000000000000072164e-02,1.10000000000000014432e-01);
INSERT INTO "summaries" VALUES(4,'throughput',12800.0,12800.0,1,12800.0,12800.0);
INSERT INTO "summaries" VALUES(4,'train_accuracy',0.9,0.9,10,0.9,0.9);
INSERT INTO "summaries" VALUES(4,'train_loss',0.05,0.05,20,0.05,0.1);
CREATE TABLE traces (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    micro_batches INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    seconds ANY NOT NULL,
    checksum INTEGER NOT NULL,
    value_1 ANY,
    value_2 ANY,
    value_3 ANY,
    value_4 ANY,
    PRIMARY KEY (run_id, step, micro_batches, attempt)
) STRICT, WITHOUT ROWID;
INSERT INTO "traces" VALUES(4,1,1,1,32,1,0.0025,4000000001,0.25,-0.5,'nan',NULL);
INSERT INTO "traces" VALUES(4,1,1,2,64,1,0.005,4000000002,0.5,-1.0,'nan',NULL);
INSERT INTO "traces" VALUES(4,1,1,3,96,1,0.0075,4000000003,0.75,-1.5,'nan',NULL);
INSERT INTO "traces" VALUES(4,1,1,4,128,1,0.01,4000000004,1.0,-2.0,'nan',NULL);
INSERT INTO "traces" VALUES(4,1,2,5,160,1,0.0125,4000000005,1.25,-2.5,'nan',NULL);
INSERT INTO "traces" VALUES(4,1,2,6,192,1,0.015,4000000006,1.5,-3.0,'nan',NULL);
INSERT INTO "traces" VALUES(4,1,2,7,224,1,0.0175,4000000007,1.75,-3.5,'nan',NULL);
INSERT INTO "traces" VALUES(4,1,2,8,256,1,0.02,4000000008,2.0,-4.0,'nan',NULL);
CREATE INDEX markers_of_run ON markers (run_id, attempt, step);
CREATE INDEX epochs_of_attempt ON epochs (run_id, attempt, step);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('markers',15);
INSERT INTO "sqlite_sequence" VALUES('runs',4);
COMMIT;
